import { AppError } from "#domain/errors.ts";
import type { Locale } from "#domain/locale.ts";
import type { Services } from "../services.ts";
import { logError } from "../log.ts";
import { isBuiltInStore, putCorsRules } from "../storage/cors-rules.ts";
import { translatorFor } from "#messages/compiled.ts";

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
