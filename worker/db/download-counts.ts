import { utcDay } from "#domain/units.ts";
import type { Database } from "./client.ts";
import { downloadedNotice } from "./notice-events.ts";
import { countOnRecipient } from "./recipients.ts";
import { downloadedEvent } from "./webhook-events.ts";

/** Statements that count finished downloads. The SQL is handwritten for speed: see worker/db/client.ts. */

export interface Downloader {
  /** The token in the recipient's link, or an unknown token. Null for the bare link. */
  token: string | null;
  /** Whether the person owns the link. An owner gets no mail about their own downloads. */
  isOwner: boolean;
}

const COUNT_ON_FILE = "update files set download_count = download_count + 1 where id = ?";
const COUNT_ON_DAY = `
  insert into overview_days (day, downloads) values (?, 1)
  on conflict (day) do update set downloads = downloads + 1`;
const COUNT_ON_ENTRY = `
  insert into entry_downloads (file_id, n, count) select id, ?2, 1 from files where id = ?1
  on conflict (file_id, n) do update set count = count + 1`;

/** Counts a finished download for file, day and recipient, and notes the download for the owner's mails. */
export async function countDownload(db: Database, id: string, by: Downloader, now: number): Promise<void> {
  await db.$client.batch(countStatements(db, id, by, now));
}

/** Counts a finished download of one entry, besides the counts of `countDownload`. */
export async function countEntryDownload(
  db: Database,
  fileId: string,
  n: number,
  by: Downloader,
  now: number,
): Promise<void> {
  const onEntry = db.$client.prepare(COUNT_ON_ENTRY).bind(fileId, n);
  await db.$client.batch([onEntry, ...countStatements(db, fileId, by, now)]);
}

function countStatements(db: Database, id: string, by: Downloader, now: number): D1PreparedStatement[] {
  const { $client } = db;
  return [
    $client.prepare(COUNT_ON_FILE).bind(id),
    $client.prepare(COUNT_ON_DAY).bind(utcDay(now)),
    downloadedEvent(db, id, now),
    ...(by.isOwner ? [] : [countOnRecipient(db, id, by.token, now), downloadedNotice(db, id, by.token, now)]),
  ];
}
