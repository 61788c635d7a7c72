import { AppError } from "#domain/errors.ts";
import type { Locale } from "#domain/locale.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";
import { logAdminAction } from "../db/admin-audit.ts";
import { logError } from "../log.ts";
import { testMessage } from "../mail/messages/account.tsx";
import type { Services } from "../services.ts";
import { isBuiltInStore, putCorsRules } from "../storage/bucket-rules.ts";

/**
 * Sets the bucket's CORS rules. The call is public, because it always sets the same correct rules (decision 016).
 * @throws AppError CORS_UPDATE_FAILED
 */
export async function fixCors({ settings }: Services, locale: Locale): Promise<{ success: true; message: string }> {
  const t = translatorFor(locale, "answers");
  if (isBuiltInStore(settings.s3, settings.origin)) {
    return { success: true, message: t("corsBuiltIn") };
  }
  try {
    await putCorsRules(settings.s3, settings.origin);
  } catch (error) {
    logError("cors.update_failed", error);
    throw new AppError("CORS_UPDATE_FAILED", { success: false });
  }
  return { success: true, message: t("corsUpdated") };
}

/** Sends a test mail, without the outbox, to report a failure at once. @throws AppError TEST_MAIL_FAILED */
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
