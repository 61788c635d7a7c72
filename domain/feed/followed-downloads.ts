import { SECOND_MS } from "../units.ts";
import type { DownloadNews } from "../wire/feed.ts";

/**
 * Responses become followed downloads, one for each reader and file: a download manager, a video player and the page of an encrypted
 * link read one file with many requests.
 */

/** How long a reader may wait before the next part. Afterwards the download counts as broken off, or is another one. */
const NEXT_PART_MS = 30 * SECOND_MS;

/** What the Worker knows of one response with bytes. */
export interface DownloadReport {
  /** What this response alone adds. Its `id` names the download. */
  news: DownloadNews;
  response: string;
  /** Whether its last byte is the file's. */
  reachesEnd: boolean;
  /** Whether it is of a range: the same reader is likely to ask for another. */
  isPart: boolean;
  /** Whether it is of a file of an encrypted transfer, which readers fetch one after the other. */
  isOneOfMany: boolean;
}

/** What is known of a reader and a file. */
export interface FollowedDownload {
  /** The report of the latest response, with the start of the first one. */
  latest: DownloadReport;
  /** Responses under way. */
  open: readonly string[];
  /** The file's last byte was handed over. */
  hasEnded: boolean;
}

/** @param download what was known before */
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

/** @returns when a download that waits for its next part will have waited long enough; null for every other download */
export function waitsUntil({ latest, open, hasEnded }: FollowedDownload): number | null {
  const { endedAt } = latest.news;
  if (open.length > 0 || endedAt === undefined) return null;
  const mayGoOn = latest.isOneOfMany || (latest.isPart && !hasEnded);
  return mayGoOn ? endedAt + NEXT_PART_MS : null;
}

/** The news that pages get. @param now epoch milliseconds */
export function newsOf(line: FollowedDownload, now: number): DownloadNews {
  const { endedAt, ...news } = line.latest.news;
  const until = waitsUntil(line);
  const isRunning = endedAt === undefined || line.open.length > 0 || (until !== null && now < until);
  return isRunning ? { ...news, state: "running" } : { ...news, state: line.hasEnded ? "done" : "broken", endedAt };
}
