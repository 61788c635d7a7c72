import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import type { ListedFile } from "#domain/wire.ts";
import { listFilesAfter, type ListPosition } from "../db/files-after.ts";
import { localizedInputError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { toListedFile } from "./files.ts";

/**
 * Lists a page of a person's finished files and transfers, newest first.
 * @param cursor `next` of the previous page; undefined for the first page
 * @param limit how many rows a page has
 * @param label selects the files and transfers with this label
 * @param now epoch milliseconds
 * @returns `next`: the cursor of the next page; null at the end
 * @throws AppError BAD_REQUEST for an invalid cursor
 */
export async function listAfter(
  { db }: Services,
  userId: string,
  { cursor, limit, label }: { cursor?: string | undefined; limit: number; label?: string | undefined },
  now: number,
): Promise<{ items: ListedFile[]; next: string | null }> {
  const after = cursor === undefined ? null : readPosition(cursor);
  const { rows, end } = await listFilesAfter(db, userId, after, limit, label);
  return { items: rows.map((file) => toListedFile(file, now)), next: end && writePosition(end) };
}

export function writePosition({ at, rowid }: ListPosition): string {
  return toBase64url(new TextEncoder().encode(`${at}.${rowid}`));
}

/** @throws AppError BAD_REQUEST for an invalid cursor */
export function readPosition(cursor: string): ListPosition {
  const bytes = fromBase64url(cursor);
  const [, at, rowid] = /^(\d{1,15})\.(\d{1,15})$/.exec(new TextDecoder().decode(bytes ?? undefined)) ?? [];
  if (at === undefined || rowid === undefined) {
    throw localizedInputError("notCursor", { field: "cursor" }, { field: "cursor" });
  }
  return { at: Number(at), rowid: Number(rowid) };
}
