import { layOutSegments } from "#domain/segments.ts";
import type { Entry } from "#domain/transfers/pages.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import type { SegmentedFile } from "../shared/segment-store.ts";

/** An object may hold the bytes of several files, which no browser renders by itself. */
export const OBJECT_CONTENT_TYPE = "application/octet-stream";

/**
 * "open": storage has a multipart upload for the object. "joining": all parts are completed. "stored": the entries can
 * be downloaded. Two phases are final and leave no bytes: "rejected" when the stored bytes differ from the sender's
 * CRC-32, and "dropped" when the sender gave the object up.
 */
export type ObjectPhase = "open" | "joining" | "stored" | "rejected" | "dropped";

/** The checksums of one entry's bytes. */
export interface EntrySum {
  crc32: number;
  /** The hash in hex; null for a large file whose sender sent none. */
  sha256: string | null;
}

/** The columns of an object's row that are quick to decode. */
export interface ObjectOutline {
  object: number;
  /** The numbers of the object's entries, in the order of their bytes. */
  runs: Runs;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  /** Null until storage has created the multipart upload, and for an object in segments, each of which has its own. */
  r2UploadId: string | null;
  phase: ObjectPhase;
  /** The number of the first of its objects in storage. */
  storedFrom: number;
  /** How many objects in storage hold its bytes: more than one for a large file, which is in segments (decision 055). */
  storedCount: number;
}

/** Whether the object's bytes are in segments, so that its file can be read while it uploads. */
export function isSegmented({ storedCount }: Pick<ObjectOutline, "storedCount">): boolean {
  return storedCount > 1;
}

/** An object of a transfer whose bytes are in segments. */
export interface SegmentedObject extends SegmentedFile {
  /** The number that the sender gave to the object. */
  object: number;
}

/** @param fileId of the transfer */
export function segmentedObject(fileId: string, outline: ObjectOutline): SegmentedObject {
  const { object, storedFrom, sizeBytes, partSizeBytes, partCount } = outline;
  return { fileId, contentType: OBJECT_CONTENT_TYPE, object, storedFrom, sizeBytes, partSizeBytes, partCount };
}

/** The numbers of the object's objects in storage. */
export function storedNumbers({
  storedFrom,
  storedCount,
}: Pick<ObjectOutline, "storedFrom" | "storedCount">): number[] {
  return Array.from({ length: storedCount }, (_, segment) => storedFrom + segment);
}

/** Where the first entry of a stored object is, as in a list of entries. */
export function placeOf(outline: ObjectOutline): Pick<Entry, "object" | "offset" | "layout"> {
  const place = { object: outline.storedFrom, offset: 0 };
  return isSegmented(outline) ? { ...place, layout: layOutSegments(outline.sizeBytes, outline) } : place;
}

export interface TransferObject extends ObjectOutline {
  /** The checksums of the entries in the order of `runs`; null until the object is stored. */
  sums: EntrySum[] | null;
  /**
   * Whether an earlier object with these entries was rejected. For a retry, the stored bytes count, whatever CRC-32 the
   * sender reports.
   */
  isRetry: boolean;
}

export interface SummedPart {
  part: number;
  etag: string;
  crc32: number;
}
