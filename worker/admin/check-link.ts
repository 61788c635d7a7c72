import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { BLOCKED_REASON } from "../db/blocked-sums.ts";
import { findFileById } from "../db/files.ts";
import type { Services } from "../services.ts";
import { finishTakeDown } from "./files.ts";

/**
 * Does what a message of the queue asks for. A repetition does no harm.
 * @param now epoch milliseconds
 * @throws Error if the message is to come again
 */
export async function checkLink(services: Services, { fileId }: LinkCheck, now: number): Promise<void> {
  const file = await findFileById(services.db, fileId);
  if (file?.takedownReason === BLOCKED_REASON && file.s3DeletedAt === null) {
    await finishTakeDown(services, file, BLOCKED_REASON, now);
  }
}
