import { SECOND_MS } from "../units.ts";
import type { DownloadNews } from "../wire/feed.ts";

/**
 * This module joins responses into downloads, one for each reader and file: a download manager, a video player and the
 * page of a sealed link read one file with many requests.
 */

/** The longest pause of a reader between two responses. After a longer pause, the next response is a new download. */
const NEXT_PART_MS = 30 * SECOND_MS;

/** A report of the Worker about one response with bytes. */
export interface DownloadReport {
  /** The news about this response alone. The `id` of the news names the download. */
  news: DownloadNews;
  response: string;
  /** Whether the response's last byte is the file's last byte. */
  reachesEnd: boolean;
  /** Whether the response is a range, after which the reader is likely to ask for another range. */
  isPart: boolean;
  /** Whether the response is a file of a sealed transfer, whose files a reader fetches one after the other. */
  isOneOfMany: boolean;
}

/** The download of one file by one reader, joined from the reports about its responses. */
export interface FollowedDownload {
  /** The report of the latest response, in which the start is that of the first response. */
  latest: DownloadReport;
  /** The ids of responses that are still running. */
  open: readonly string[];
  /** Whether the file's last byte was sent. */
  hasEnded: boolean;
}

/** @param download the joined reports so far; undefined for the first report */
export function addReport(download: FollowedDownload | undefined, report: DownloadReport): FollowedDownload {
  const { news, response, reachesEnd } = report;
  const before = download !== undefined && goesOn(download, news) ? download : undefined;
  const others = before?.open.filter((open) => open !== response) ?? [];
  const startedAt = Math.min(news.startedAt, before?.latest.news.startedAt ?? news.startedAt);
  return {
    latest: { ...report, news: { ...news, startedAt } },
    open: news.state === "running" ? [...others, response] : others,
    hasEnded: before?.hasEnded === true || (news.state === "done" && reachesEnd),
  };
}

function goesOn({ latest, open }: FollowedDownload, next: DownloadNews): boolean {
  return open.length > 0 || next.startedAt - (latest.news.endedAt ?? 0) <= NEXT_PART_MS;
}

/** @returns epoch milliseconds when a pausing download counts as broken off; null for a download that does not pause */
export function waitsUntil({ latest, open, hasEnded }: FollowedDownload): number | null {
  const { endedAt } = latest.news;
  if (open.length > 0 || endedAt === undefined) return null;
  const mayGoOn = latest.isOneOfMany || (latest.isPart && !hasEnded);
  return mayGoOn ? endedAt + NEXT_PART_MS : null;
}

/** @param now epoch milliseconds @returns the download's news for pages */
export function newsOf(line: FollowedDownload, now: number): DownloadNews {
  const { endedAt, ...news } = line.latest.news;
  const until = waitsUntil(line);
  const isRunning = endedAt === undefined || line.open.length > 0 || (until !== null && now < until);
  return isRunning ? { ...news, state: "running" } : { ...news, state: line.hasEnded ? "done" : "broken", endedAt };
}
