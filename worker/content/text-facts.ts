import { fillFacts } from "#domain/text-facts.ts";
import { LOCALES } from "#domain/locale.ts";
import { limitFor } from "#domain/plans.ts";
import { DAY_MS, formatBytes } from "#domain/units.ts";
import { VISITOR_TOKEN_TTL_MS } from "#domain/upload-lifetime.ts";
import type { Settings } from "../settings.ts";
import { translatorFor } from "#messages/compiled.ts";

const CONTENT_LOCALE = LOCALES[0];

export function whoMayUpload({ anonymousUploads }: Settings): string {
  const t = translatorFor(CONTENT_LOCALE, "landing");
  if (!anonymousUploads) return t("accountNeeded");
  return t("noAccountNeeded", { size: formatBytes(limitFor("free").fileSizeBytes) });
}

/** Fills in the facts that a stored text names in braces, such as `{contactEmail}`. */
export function withFacts(text: string, settings: Settings): string {
  return fillFacts(text, {
    contactEmail: settings.contactEmail,
    whoMayUpload: whoMayUpload(settings),
    uploadLogDays: String(settings.uploadLogMs / DAY_MS),
    endedFileDays: String(settings.endedFileMs / DAY_MS),
    visitorCookie: settings.anonymousUploads
      ? `If you upload without an account, another one proves for ${VISITOR_TOKEN_TTL_MS / DAY_MS} days that the upload is yours.`
      : "",
  });
}
