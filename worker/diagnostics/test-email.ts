import { AppError } from "#domain/errors.ts";
import type { Locale } from "#domain/locale.ts";
import type { AdminViewer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { logAdminAction } from "../db/admin-audit.ts";
import { logError } from "../log.ts";
import { testMessage } from "../mail/messages/diagnostic.tsx";
import { translatorFor } from "#messages/compiled.ts";

/** Does not use the outbox, to report a failure at once. @throws AppError TEST_MAIL_FAILED */
export async function sendTestEmail(
  { db, outbox }: Services,
  admin: AdminViewer,
  email: string,
  locale: Locale,
  now: number,
): Promise<{ message: string }> {
  try {
    await outbox.sendNow(testMessage(email));
  } catch (error) {
    logError("mail.test_failed", error);
    throw new AppError("TEST_MAIL_FAILED");
  }
  await logAdminAction(db, { admin, action: "mail.test", target: email, details: "", at: now });
  return { message: translatorFor(locale, "answers")("testMailSent") };
}
