/** When an owner is mailed of downloads: never, of each recipient's first one, of each, or with the mail of the day. */
export const DOWNLOAD_NOTICES = ["off", "first", "each", "daily"] as const;
export type DownloadNotice = (typeof DOWNLOAD_NOTICES)[number];
export const DEFAULT_DOWNLOAD_NOTICE: DownloadNotice = "first";

/** When an owner is mailed of what came through an upload request. */
export const REQUEST_NOTICES = ["each", "daily", "off"] as const;
export type RequestNotice = (typeof REQUEST_NOTICES)[number];

/** What is noted for a mail. `ending`: the link ends tomorrow. `receipt`: for whoever sent through a request. */
export const NOTICE_KINDS = ["downloaded", "arrived", "received", "ending", "receipt"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** When the mail of the day is made, in its reader's local time. */
const DIGEST_HOUR = 8;

/** @param at epoch milliseconds @returns the local time, such as 2026-01-31T08:00 */
export function localMinute(at: number, timeZone: string): string {
  const parts = formatterOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/**
 * Compares what a clock on the wall shows, so it holds on days of 23 and 25 hours.
 * @param oldestAt when the oldest of what waits happened, in epoch milliseconds
 * @param lastDay the local day of the last mail, such as 2026-01-31; null for none
 * @param now epoch milliseconds
 * @returns the local day of the mail that is due; null for none
 */
export function digestDay(
  { oldestAt, lastDay, timeZone }: { oldestAt: number; lastDay: string | null; timeZone: string },
  now: number,
): string | null {
  const day = localMinute(now, timeZone).slice(0, "2026-01-31".length);
  const eight = `${day}T${String(DIGEST_HOUR).padStart(2, "0")}:00`;
  const isTime = localMinute(now, timeZone) >= eight;
  // What happens after eight o'clock waits for the next day.
  const hasWaited = localMinute(oldestAt, timeZone) < eight;
  return isTime && hasWaited && (lastDay === null || lastDay < day) ? day : null;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are expensive to create. */
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
