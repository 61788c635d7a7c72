/** Which downloads an owner is mailed about: none, each recipient's first, all, or all in one daily mail. */
export const DOWNLOAD_NOTICES = ["off", "first", "each", "daily"] as const;
export type DownloadNotice = (typeof DOWNLOAD_NOTICES)[number];
export const DEFAULT_DOWNLOAD_NOTICE: DownloadNotice = "first";

/** How an owner is mailed about transfers that came through an upload request. */
export const REQUEST_NOTICES = ["each", "daily", "off"] as const;
export type RequestNotice = (typeof REQUEST_NOTICES)[number];

/**
 * The kinds of mails that a row notes first. `ending`: the link ends tomorrow. `receipt`: for a sender through a
 * request.
 */
export const NOTICE_KINDS = ["downloaded", "arrived", "received", "ending", "receipt"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The hour of the daily mail, in its reader's local time. */
const DIGEST_HOUR = 8;

/** @param at epoch milliseconds @returns the local time, such as 2026-01-31T08:00 */
export function localMinute(at: number, timeZone: string): string {
  const parts = formatterOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/**
 * Decides when the daily mail is due. Compares local wall-clock times, so days of 23 and 25 hours work, too.
 * @param oldestAt when the oldest event that waits for the mail happened, in epoch milliseconds
 * @param lastDay the local day of the last mail, such as 2026-01-31; null without a last mail
 * @param now epoch milliseconds @returns the local day of the mail that is due; null if no mail is due
 */
export function digestDay(
  { oldestAt, lastDay, timeZone }: { oldestAt: number; lastDay: string | null; timeZone: string },
  now: number,
): string | null {
  const day = localMinute(now, timeZone).slice(0, "2026-01-31".length);
  const eight = `${day}T${String(DIGEST_HOUR).padStart(2, "0")}:00`;
  const isTime = localMinute(now, timeZone) >= eight;
  // An event after eight o'clock waits for the next day's mail.
  const hasWaited = localMinute(oldestAt, timeZone) < eight;
  return isTime && hasWaited && (lastDay === null || lastDay < day) ? day : null;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Caches formatters, which are expensive to create. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      calendar: "gregory",
      numberingSystem: "latn",
    });
  formatters.set(timeZone, formatter);
  return formatter;
}
