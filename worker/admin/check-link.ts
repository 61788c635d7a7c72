import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { BLOCKED_REASON } from "../db/blocked-sums.ts";
import { findFileById } from "../db/files.ts";
import { scanLink } from "../moderation/scan-link.ts";
import type { Services } from "../services.ts";
import { finishTakeDown } from "./files.ts";

/**
 * Does what a message of the queue asks for. A repetition does no harm.
 * @param now epoch milliseconds
 * @throws Error if the message is to come again
 */
export async function checkLink(services: Services, check: LinkCheck, now: number): Promise<void> {
  if (check.kind === "scan") {
    await scanLink(services, check, now);
    return;
  }
  const file = await findFileById(services.db, check.fileId);
  if (file?.takedownReason === BLOCKED_REASON && file.s3DeletedAt === null) {
    await finishTakeDown(services, file, { reason: BLOCKED_REASON, ground: "terms" }, now);
  }
}
