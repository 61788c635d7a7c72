import { SECOND_MS } from "#domain/units.ts";
import type { FileRow } from "../db/files.ts";

/** A link is busy in an isolate when it is opened more often than this in a second. */
const BUSY_OPENINGS = 20;
/** How old a shared row may be. A change of a busy link takes effect within this time. */
const SHARED_MS = SECOND_MS;
/** The age of a row at which one opening reads the row again, while other openings still share the old one. */
const READ_AGAIN_MS = (SHARED_MS * 4) / 5;
const MOST_LINKS = 1000;

interface Link {
  /** When the second began in which `openings` are counted, in epoch milliseconds. */
  since: number;
  openings: number;
  wasBusy: boolean;
  row: FileRow | null;
  /** When the query that read `row` began. */
  readAt: number;
  /** When the latest query began, which may still be running. */
  askedAt: number;
}

/** The links that this isolate has opened, by download id. The link that was opened last comes last. */
const links = new Map<string, Link>();

/**
 * Reads a link's row. The openings of a busy link share a row that one of them has read less than a second ago. No
 * opening waits for another opening's query, because the platform may cancel that query.
 * @param now epoch milliseconds
 * @param read reads the row; `isForOthers`: whether other openings may share the row
 * @param isShared whether openings may share a row
 */
export async function readBusyLink(
  downloadId: string,
  now: number,
  read: (isForOthers: boolean) => Promise<FileRow | null>,
  isShared: (row: FileRow) => boolean,
): Promise<FileRow | null> {
  const link = countOpening(downloadId, now);
  if (!link.wasBusy && link.openings <= BUSY_OPENINGS) return read(false);
  const age = now - link.readAt;
  const isBeingRead = link.askedAt > link.readAt;
  if (link.row && age >= 0 && age < (isBeingRead ? SHARED_MS : READ_AGAIN_MS)) return link.row;
  link.askedAt = now;
  const row = await read(true);
  if (now >= link.readAt) {
    link.row = row && isShared(row) ? row : null;
    link.readAt = now;
  }
  return row;
}

function countOpening(downloadId: string, now: number): Link {
  const former = links.get(downloadId);
  const link = former ?? { since: now, openings: 0, wasBusy: false, row: null, readAt: -Infinity, askedAt: -Infinity };
  const age = now - link.since;
  if (age < 0 || age >= SECOND_MS) {
    link.wasBusy = age >= 0 && age < 2 * SECOND_MS && link.openings > BUSY_OPENINGS;
    link.since = now;
    link.openings = 0;
  }
  link.openings += 1;
  links.delete(downloadId);
  links.set(downloadId, link);
  const [oldest] = links.keys();
  if (links.size > MOST_LINKS && oldest !== undefined) links.delete(oldest);
  return link;
}
