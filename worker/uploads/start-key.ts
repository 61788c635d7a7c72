import { AppError } from "#domain/errors.ts";
import type { Caller } from "../callers/caller.ts";
import type { FileRow } from "../db/files.ts";
import { findByStartKey } from "../db/resumable-uploads.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";

/** A program's `Idempotency-Key`: the same start again answers what the first one started. */
export interface StartKey {
  key: string;
  /** SHA-256 of the start's request, in hex. */
  digest: string;
}

/** @param key null for a start without one @param request as it was parsed: its fields have one order */
export async function startKeyOf(key: string | null, request: unknown): Promise<StartKey | null> {
  return key === null ? null : { key, digest: await hashToken(JSON.stringify(request)) };
}

/** @returns null when this API key has started nothing under it in the last day @throws AppError REPEATED_DIFFERENTLY, UPLOAD_CLOSED */
export async function findRepeatedStart(
  { db }: Services,
  caller: Caller,
  startKey: StartKey | null,
): Promise<FileRow | null> {
  if (caller.kind !== "key" || startKey === null) return null;
  const file = await findByStartKey(db, caller.key.id, startKey.key);
  return file && requireRepeated(file, startKey);
}

/** @throws AppError REPEATED_DIFFERENTLY for another start, UPLOAD_CLOSED for an upload that has failed or was cancelled */
export function requireRepeated(file: FileRow, startKey: StartKey): FileRow {
  if (file.startDigest !== startKey.digest) throw new AppError("REPEATED_DIFFERENTLY");
  const hasEnded = file.status !== "uploading" && file.status !== "ready";
  if (hasEnded || file.deletedAt) throw new AppError("UPLOAD_CLOSED");
  return file;
}
