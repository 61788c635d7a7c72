import { LOCALES, type Locale } from "#domain/locale.ts";
import { issueUnsubscribe, type StoppedMail } from "#domain/notices/tokens.ts";
import { unsubscribeUrl } from "../urls.ts";
import type { Reader } from "../mail/messages/notices.tsx";
import type { Services } from "../services.ts";

/** @param locale null where the reader's language is not known: English @param stops what their unsubscribe link stops */
export async function readerOf(
  { settings, noticeKeys }: Services,
  { email, locale, timeZone = "UTC" }: { email: string; locale: Locale | null; timeZone?: string },
  stops: StoppedMail,
): Promise<Reader> {
  const token = await issueUnsubscribe(await noticeKeys(), stops);
  return { email, locale: locale ?? LOCALES[0], timeZone, unsubscribeUrl: unsubscribeUrl(settings, token) };
}
