import { REPORTED_ACCOUNT_MS } from "#domain/moderation/trust.ts";
import { DAY_MS, utcDay } from "#domain/units.ts";
import type { Database } from "./client.ts";
import { downloadNotices, LINK_NOTICES, type LinkNotices } from "./notice-events.ts";
import { countOnRecipients } from "./recipients.ts";
import { isUniqueViolation, retryIdempotent } from "./retries.ts";
import { downloadedEvents, WANTS_DOWNLOADS } from "./webhook-events.ts";

/** Statements that count finished downloads. The SQL is handwritten for speed: see worker/db/client.ts. */

/** A finished download. */
export interface FinishedDownload {
  /** The download's id, 32 hexadecimal digits. A download is counted once, however often its message comes. */
  id: string;
  /** The id of the file or transfer. */
  file: string;
  /** The number of a transfer's entry that was downloaded by itself; null for a single file, and for a ZIP. */
  entry: number | null;
  /** The token in a recipient's link, which may be unknown. Null for the link without a token. */
  token: string | null;
  /** Whether the person who downloaded owns the link. An owner gets no mail about their own downloads. */
  isOwner: boolean;
  /** When the last byte was sent, in epoch milliseconds. */
  at: number;
}

/**
 * How often the counting is tried. The counting starts again when another consumer has counted one of the downloads
 * since `readFacts`.
 */
const MAX_RUNS = 5;

/**
 * Counts downloads for file, entry, day and recipient, and notes the downloads for the owner's webhooks and mails.
 * Idempotent, also beside other calls with the same downloads: the transaction inserts the downloads' ids, and fails as
 * a whole if one of these rows exists.
 * @returns the ids of files of young accounts among the downloads that this call has counted
 */
export async function countDownloads(db: Database, downloads: readonly FinishedDownload[]): Promise<string[]> {
  const told = [...new Map(downloads.map((download) => [download.id, download])).values()];
  for (let run = 1; ; run += 1) {
    const { counted, links, recipients } = await readFacts(db, told);
    const fresh = told.filter(({ id }) => !counted.has(id));
    if (fresh.length === 0) return [];
    try {
      await db.$client.batch(countStatements(db, fresh, links, recipients));
      const files = [...new Set(fresh.map(({ file }) => file))];
      return files.filter((file) => (links.get(file)?.youngOwner ?? null) !== null);
    } catch (error) {
      if (run === MAX_RUNS || !isUniqueViolation(error)) throw error;
    }
  }
}

interface LinkFacts extends LinkNotices {
  hasWebhook: number;
  /** The owner's id, if their account is young enough to be watched. */
  youngOwner: string | null;
}

interface Facts {
  /** The ids of downloads that have been counted. */
  counted: Set<string>;
  /** Who is told of a link's downloads, by the id of the file. A link whose row is deleted is missing. */
  links: Map<string, LinkFacts>;
  /** The ids of recipients, by `recipientKey`. */
  recipients: Map<string, string>;
}

/** All facts in one statement: downloads of which nobody is told cost no further statement. */
const FACTS = `
  select 'download' as what, download.value ->> 'id' as id, null as file, null as choice, null as isTold, null as hasWebhook,
    null as youngOwner
  from json_each(?1) as download
    cross join counted_downloads as counted
      on counted.day = download.value ->> 'day' and counted.id = unhex(download.value ->> 'id')
  union all
  select 'recipient', recipients.id, recipients.transfer_id || ' ' || recipients.token, null, null, null, null
  from json_each(?2) as token cross join recipients on recipients.token = token.value
  union all
  select 'link', files.id, null, ${LINK_NOTICES.choice}, ${LINK_NOTICES.isTold},
    exists (select 1 from webhooks where webhooks.user_id = files.user_id and ${WANTS_DOWNLOADS}),
    (select users.id from users where users.id = files.user_id and users.created_at > ?4 and users.trusted_at is null)
  from json_each(?3) as link cross join files on files.id = link.value
    left join notice_settings on notice_settings.user_id = files.user_id`;

type FactRow = LinkFacts & { what: "download" | "recipient" | "link"; id: string; file: string };

async function readFacts(db: Database, downloads: readonly FinishedDownload[]): Promise<Facts> {
  const unique = (values: (string | null)[]) => JSON.stringify([...new Set(values)].filter((value) => value !== null));
  const { results } = await db.$client
    .prepare(FACTS)
    .bind(
      JSON.stringify(downloads.map(({ id, at }) => ({ id, day: dayOf(at) }))),
      unique(downloads.map(({ token, isOwner }) => (isOwner ? null : token))),
      unique(downloads.map(({ file }) => file)),
      Math.min(...downloads.map(({ at }) => at)) - REPORTED_ACCOUNT_MS,
    )
    .all<FactRow>();
  const of = (kind: FactRow["what"]) => results.filter(({ what }) => what === kind);
  return {
    counted: new Set(of("download").map(({ id }) => id)),
    links: new Map(of("link").map((row) => [row.id, row])),
    recipients: new Map(of("recipient").map(({ id, file }) => [file, id])),
  };
}

/**
 * Deletes ids of downloads whose messages are gone, the oldest first. @param before epoch milliseconds
 * @returns the number of deleted rows
 */
export async function forgetCountedDownloads({ $client }: Database, before: number, limit: number): Promise<number> {
  const { meta } = await retryIdempotent(() => $client.prepare(FORGET).bind(dayOf(before), limit).run());
  return meta.changes;
}

const FORGET = `
  delete from counted_downloads where (day, id) in
    (select day, id from counted_downloads where day < ?1 order by day, id limit ?2)`;

function recipientKey(file: string, token: string | null): string {
  return `${file} ${token ?? ""}`;
}

/** The UTC day of `counted_downloads`: days since 1970-01-01. */
function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

const COUNTED = `
  insert into counted_downloads (day, id) select value ->> 'day', unhex(value ->> 'id') from json_each(?)`;
const COUNT_ON_FILES = `
  update files set download_count = download_count + (link.value ->> 'count')
  from json_each(?) as link where files.id = link.value ->> 'file'`;
const COUNT_ON_DAYS = `
  insert into overview_days (day, downloads) select value ->> 'day', value ->> 'count' from json_each(?) where true
  on conflict (day) do update set downloads = downloads + excluded.downloads`;
const COUNT_ON_YOUNG = `
  insert into new_account_days (user_id, day, downloads)
  select users.id, value ->> 'day', value ->> 'count'
  from json_each(?) as young cross join users on users.id = young.value ->> 'owner' where true
  on conflict (user_id, day) do update set downloads = downloads + excluded.downloads`;
const COUNT_ON_ENTRIES = `
  insert into entry_downloads (file_id, n, count)
  select files.id, value ->> 'entry', value ->> 'count'
  from json_each(?) as entry cross join files on files.id = entry.value ->> 'file' where true
  on conflict (file_id, n) do update set count = count + excluded.count`;

function countStatements(
  db: Database,
  downloads: readonly FinishedDownload[],
  links: Facts["links"],
  recipients: Facts["recipients"],
): D1PreparedStatement[] {
  const bind = (text: string, rows: readonly object[]) => db.$client.prepare(text).bind(JSON.stringify(rows));
  const others = downloads
    .filter(({ isOwner }) => !isOwner)
    .map((download) => ({ ...download, recipient: recipients.get(recipientKey(download.file, download.token)) ?? "" }));
  const entries = countBy(downloads, ({ file, entry }) => (entry === null ? null : { file, entry }));
  const named = countBy(others, ({ recipient }) => (recipient === "" ? null : { recipient }));
  const events = countBy(downloads, ({ file }) => (links.get(file)?.hasWebhook ? { file } : null));
  const young = countBy(others, ({ file, at }) => {
    const owner = links.get(file)?.youngOwner ?? null;
    return owner === null ? null : { owner, day: at - (at % DAY_MS) };
  });
  const notices = countBy(others, ({ file, recipient }) => {
    const link = links.get(file);
    const isNoted = link && link.choice !== "off" && (link.choice !== "first" || !link.isTold || recipient !== "");
    return isNoted ? { file, recipient } : null;
  });
  return [
    bind(
      COUNTED,
      downloads.map(({ id, at }) => ({ id, day: dayOf(at) })),
    ),
    bind(
      COUNT_ON_FILES,
      countBy(downloads, ({ file }) => ({ file })),
    ),
    bind(
      COUNT_ON_DAYS,
      countBy(downloads, ({ at }) => ({ day: utcDay(at) })),
    ),
    ...(entries.length > 0 ? [bind(COUNT_ON_ENTRIES, entries)] : []),
    ...(young.length > 0 ? [bind(COUNT_ON_YOUNG, young)] : []),
    ...(events.length > 0 ? [downloadedEvents(db, events)] : []),
    ...(named.length > 0 ? [countOnRecipients(db, named)] : []),
    ...(notices.length > 0 ? [downloadNotices(db, notices)] : []),
  ];
}

/** The downloads that count for one row. */
interface Counted {
  count: number;
  /** When the first and the last of these downloads ended, in epoch milliseconds. */
  first: number;
  last: number;
}

/** @param keyOf returns the key of the row for which a download counts; null if it counts for none */
function countBy<Download extends FinishedDownload, Key extends object>(
  downloads: readonly Download[],
  keyOf: (download: Download) => Key | null,
): (Key & Counted)[] {
  const rows = new Map<string, Key & Counted>();
  for (const download of downloads) {
    const key = keyOf(download);
    if (key === null) continue;
    const name = JSON.stringify(key);
    const { count, first, last } = rows.get(name) ?? { count: 0, first: Infinity, last: 0 };
    const { at } = download;
    rows.set(name, { ...key, count: count + 1, first: Math.min(first, at), last: Math.max(last, at) });
  }
  return [...rows.values()];
}
