import { AppError } from "#domain/errors.ts";
import type { Locale } from "#domain/locale.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Health, HealthCheck, AdminViewer } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";
import { logAdminAction } from "../db/admin-audit.ts";
import { pingDatabase } from "../db/client.ts";
import { logError } from "../log.ts";
import { testMessage } from "../mail/messages/account.tsx";
import type { Services } from "../services.ts";
import { isBuiltInStore, putCorsRules } from "../storage/bucket-rules.ts";
import { pingStore } from "../storage/objects.ts";

const CHECK_TIMEOUT_MS = 5 * SECOND_MS;

/** A rate limiter that counts no calls. */
const HEALTH_LIMITER_NAME = "health";

export async function checkHealth({ db, bucket, limiters }: Services): Promise<Health> {
  const [database, storage, durableObjects] = await Promise.all([
    check("database", () => pingDatabase(db)),
    check("storage", () => pingStore(bucket)),
    check("durableObjects", () => limiters.get(limiters.idFromName(HEALTH_LIMITER_NAME)).countedCalls()),
  ]);
  const checks = { database, storage, durableObjects };
  return { ok: Object.values(checks).every(({ ok }) => ok), checks };
}

async function check(name: string, ping: () => Promise<unknown>): Promise<HealthCheck> {
  const startedAt = Date.now();
  try {
    await withTimeout(ping());
    return { ok: true, ms: Date.now() - startedAt };
  } catch (error) {
    logError("health.failed", error, { check: name });
    return { ok: false, ms: Date.now() - startedAt };
  }
}

async function withTimeout(answer: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Public, because it always sets the same correct rules (decision 016). @throws AppError CORS_UPDATE_FAILED */
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

/** Sends without the outbox, to report a failure at once. @throws AppError TEST_MAIL_FAILED */
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
