import { AppError } from "#domain/errors.ts";
import { findKeyRoom } from "../db/api-key-months.ts";
import type { Services } from "../services.ts";
import type { Uploader } from "../callers/uploader.ts";

/**
 * Finds out whether the key that started an upload is why a reservation was refused. It may have ended after it was
 * checked. A person may go on with what a key has started: an ended key has no room then, since a 401 would ask the
 * person to sign in.
 * @param apiKeyId null for an upload that a person has started @param bytes that were to be reserved
 * @param now epoch milliseconds
 * @throws AppError KEY_INVALID, KEY_LIMIT
 */
export async function requireKeyRoom(
  { db }: Services,
  { apiKey }: Pick<Uploader, "apiKey">,
  apiKeyId: string | null,
  bytes: number,
  now: number,
): Promise<void> {
  if (apiKeyId === null) return;
  const room = await findKeyRoom(db, apiKeyId, now);
  if (room === null && apiKey !== null) throw new AppError("KEY_INVALID");
  if (bytes > (room ?? 0)) throw new AppError("KEY_LIMIT");
}
