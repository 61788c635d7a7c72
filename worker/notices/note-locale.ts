import { chosenLocale, requestLocale } from "#domain/locale.ts";
import { saveLocale } from "../db/notice-settings.ts";
import { atPrimary } from "../db/replicas.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

/** Notes a person's language for their mails, behind the answer, when it has changed. */
export function noteLocale(
  { db, waitUntil }: Services,
  headers: Headers,
  { userId, locale: noted }: { userId: string; locale: string | null },
): void {
  const says = headers.has("accept-language") || chosenLocale(headers.get("cookie") ?? "") !== null;
  const locale = requestLocale(headers);
  if (!says || locale === noted) return;
  waitUntil(
    atPrimary(() => saveLocale(db, userId, locale)).catch((error: unknown) => {
      logError("locale.not_noted", error);
    }),
  );
}
