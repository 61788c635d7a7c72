import { findEmail } from "../db/users.ts";
import type { FileRow } from "../db/files.ts";
import { mailedName } from "../files/mailed-name.ts";
import { isWithinRateLimit, type Caller } from "../limits/enforce-rate-limit.ts";
import { logError } from "../log.ts";
import { passwordGuessedMessage } from "../mail/messages/guards.tsx";
import type { Services } from "../services.ts";

/**
 * Counts a wrong password of a link. While more than a hundred an hour come, mails its owner once an hour. Nobody is
 * refused for it: a stranger could lock the recipients out. Does not reject.
 */
export async function noteWrongPassword(services: Services, file: FileRow, caller: Caller): Promise<void> {
  try {
    if (file.userId === null || (await isWithinRateLimit(services, "wrongLinkPassword", caller))) return;
    if (!(await isWithinRateLimit(services, "guessingMail", caller))) return;
    const email = await findEmail(services.db, file.userId);
    if (email === null) return;
    const link = `${services.settings.origin}/dashboard?guards=${file.id}`;
    await services.outbox.post(passwordGuessedMessage(email, mailedName(file), link));
  } catch (error) {
    logError("guards.guessing_mail_failed", error, { uploadId: file.id });
  }
}
