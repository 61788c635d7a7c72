import { fromBase64url, toBase64url, fromHex, toHex } from "../bytes-as-text.ts";
import type { ChecksumSource } from "../checksums.ts";
import { mimeTypeOf } from "../mime.ts";
import type { ObjectLayout } from "../segments.ts";

/** A file, or an empty folder, of a transfer. An entry's number is its place in the list, from 0. */
export interface Entry {
  /** The path of an empty folder ends in "/". */
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedMs: number;
  /** The MIME type, as `mimeTypeOf` returns it. */
  type: string;
  /** The number of the object that has the entry's bytes. Null for an empty file or folder. */
  object: number | null;
  /** The offset of the entry's first byte in the object. */
  offset: number;
  /** Of an entry in segments, whose first object is `object` (decision 055). Absent for an entry that is in one object. */
  layout?: ObjectLayout;
  /** Unsigned 32-bit number; 0 without bytes. */
  crc32: number;
  /** 64 lower-case hexadecimal digits; null while nobody has computed the sum. */
  sha256: string | null;
  crcSource: ChecksumSource;
  /** Epoch milliseconds; null for an entry that is not removed. */
  removedAt: number | null;
}

export const ENTRIES_PER_PAGE = 100;

/** An entry as an array. `type` is "" if the name implies it, `sha256` is base64url, `crcSource` is 0 for the server. */
type StoredEntry = [
  path: string,
  sizeBytes: number,
  modifiedMs: number,
  type: string,
  object: number | null,
  offset: number,
  crc32: number,
  sha256: string,
  crcSource: 0 | 1,
  removedAt?: number | null,
  layout?: ObjectLayout,
];

/** @param entries all of the transfer, sorted by their numbers @returns a text of `encodePage` for each page */
export function encodePages(entries: readonly Entry[]): string[] {
  return Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_PAGE) }, (_, page) =>
    encodePage(entries.slice(page * ENTRIES_PER_PAGE, (page + 1) * ENTRIES_PER_PAGE)),
  );
}

/** @returns a JSON array with an array for each entry, some 150 bytes each */
export function encodePage(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(toStored));
}

/** @param text from `encodePage` */
export function decodePage(text: string): Entry[] {
  return (JSON.parse(text) as StoredEntry[]).map(fromStored);
}

/** The fields that a ZIP needs, without hashes and types, which take most of the time to decode. */
export type PlacedEntry = Omit<Entry, "type" | "sha256" | "crcSource">;

/** Decodes only the fields of `PlacedEntry`, several times as fast as `decodePage`. */
export function decodePlaces(text: string): PlacedEntry[] {
  // Reading by index takes half as long as a destructuring pattern that skips elements.
  return (JSON.parse(text) as StoredEntry[]).map((stored) => ({
    path: stored[0],
    sizeBytes: stored[1],
    modifiedMs: stored[2],
    object: stored[4],
    offset: stored[5],
    crc32: stored[6],
    removedAt: stored[9] ?? null,
    ...(stored[10] && { layout: stored[10] }),
  }));
}

function toStored(entry: Entry): StoredEntry {
  const stored: StoredEntry = [
    entry.path,
    entry.sizeBytes,
    entry.modifiedMs,
    entry.type === mimeTypeOf(entry.path, "") ? "" : entry.type,
    entry.object,
    entry.offset,
    entry.crc32,
    entry.sha256 === null ? "" : toBase64url(fromHex(entry.sha256)),
    entry.crcSource === "server" ? 0 : 1,
  ];
  if (entry.layout) stored.push(entry.removedAt, entry.layout);
  else if (entry.removedAt !== null) stored.push(entry.removedAt);
  return stored;
}

function fromStored(stored: StoredEntry): Entry {
  const [path, sizeBytes, modifiedMs, type, object, offset, crc32, sha256, crcSource, removedAt = null, layout] =
    stored;
  const hash = fromBase64url(sha256);
  return {
    path,
    sizeBytes,
    modifiedMs,
    type: type === "" ? mimeTypeOf(path, "") : type,
    object,
    offset,
    crc32,
    sha256: hash?.length === 32 ? toHex(hash.buffer) : null,
    crcSource: crcSource === 0 ? "server" : "browser",
    removedAt,
    ...(layout && { layout }),
  };
}
