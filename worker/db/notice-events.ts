import { sql } from "drizzle-orm";
import { DEFAULT_DOWNLOAD_NOTICE, type DownloadNotice } from "#domain/notices/when-mailed.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { Database } from "./client.ts";
import { noticeEvents } from "./schema.ts";

/** Statements for the batch of the event that an owner is mailed about, so that no notice is lost or invented. */

/** Downloads within this time are reported in one mail. */
const FOLDED_MS = MINUTE_MS;
/** A sender's uploads within this time get one receipt, because a sender may send several transfers in a row. */
const RECEIPTS_FOLDED_MS = 5 * MINUTE_MS;
/**
 * The owner of an upload that takes longer gets a mail when it is ready, because people do not watch such an upload to
 * its end.
 */
const LONG_UPLOAD_MS = 10 * MINUTE_MS;

const NEW_ID = "lower(hex(randomblob(16)))";
const CHOICE = `coalesce(files.notify, notice_settings.downloaded, '${DEFAULT_DOWNLOAD_NOTICE}')`;

/** Whether and when the owner of a link is mailed about its downloads. */
export interface LinkNotices {
  choice: DownloadNotice;
  /** 1 once a download by the link without a recipient's token was noted, otherwise 0. */
  isTold: number;
}

/** SQL for `LinkNotices`, over `files` and a left join of `notice_settings`. */
export const LINK_NOTICES: Record<keyof LinkNotices, string> = {
  choice: `iif(files.user_id is null, 'off', ${CHOICE})`,
  isTold: wasTold("''"),
};

function wasTold(recipientId: string): string {
  return `exists (select 1 from notice_events as earlier
    where earlier.transfer_id = files.id and earlier.kind = 'downloaded' and earlier.recipient_id = ${recipientId})`;
}

/**
 * With the setting `first`, skips recipients who have downloaded before. With the other settings, counts downloads that
 * were not mailed yet. The link without a token counts as one recipient.
 */
const DOWNLOADED = `
  insert into notice_events (id, user_id, transfer_id, kind, recipient_id, count, at, due_at)
  select ${NEW_ID}, files.user_id, files.id, 'downloaded', told.value ->> 'recipient',
    iif(${CHOICE} = 'first', 1, told.value ->> 'count'), told.value ->> 'first',
    case ${CHOICE} when 'daily' then null else (told.value ->> 'first') + ${FOLDED_MS} end
  from json_each(?) as told cross join files on files.id = told.value ->> 'file'
    left join notice_settings on notice_settings.user_id = files.user_id
  where files.user_id is not null and ${CHOICE} <> 'off'
    and (${CHOICE} <> 'first' or not ${wasTold("told.value ->> 'recipient'")})
  on conflict (transfer_id, kind, recipient_id) where mailed_at is null
  do update set count = count + excluded.count, at = min(at, excluded.at), due_at = coalesce(due_at, excluded.due_at)`;

/**
 * The statement that notes downloads of which owners are mailed, for the batch that counts these downloads. The SQL is
 * handwritten for speed: see worker/db/client.ts.
 * @param downloads by file and recipient; "" stands for the link without a token. `first`: epoch milliseconds
 */
export function downloadNotices(
  { $client }: Database,
  downloads: readonly { file: string; recipient: string; count: number; first: number }[],
): D1PreparedStatement {
  return $client.prepare(DOWNLOADED).bind(JSON.stringify(downloads));
}

/**
 * The statement that notes a long upload or an upload by API key, for the batch that finishes the upload. Idempotent.
 * @param at epoch milliseconds
 */
export function arrivedNotice(db: Database, fileId: string, at: number) {
  return db
    .insert(noticeEvents)
    .select(
      sql`
        select ${sql.raw(NEW_ID)}, files.user_id, files.id, 'arrived', '', 1, ${at}, ${at}, null
        from files left join notice_settings on notice_settings.user_id = files.user_id
        where files.id = ${fileId} and files.status = 'ready' and files.user_id is not null
          and files.request_id is null and coalesce(files.notify, '') <> 'off'
          and coalesce(notice_settings.arrived, 1) = 1
          and (files.api_key_id is not null or files.uploaded_at - files.created_at > ${LONG_UPLOAD_MS})
          and not exists (select 1 from notice_events as earlier
            where earlier.transfer_id = files.id and earlier.kind = 'arrived')`,
    )
    .onConflictDoNothing();
}

/**
 * The statement that notes a receipt for a sender with an address, for the batch in which the upload becomes ready.
 * Adds to a receipt that waits for the same address. Idempotent.
 * @param at epoch milliseconds
 */
export function receiptNotice(db: Database, fileId: string, at: number) {
  const waiting = sql`(select min(events.due_at) from notice_events as events join files as others on others.id = events.transfer_id
    where events.mailed_at is null and events.due_at is not null and events.kind = 'receipt' and events.due_at > ${at}
      and lower(others.sender_email) = lower(files.sender_email))`;
  return db
    .insert(noticeEvents)
    .select(
      sql`
        select ${sql.raw(NEW_ID)}, files.user_id, files.id, 'receipt', '', 1, ${at},
          coalesce(${waiting}, ${at + RECEIPTS_FOLDED_MS}), null
        from files
        where files.id = ${fileId} and files.status = 'ready' and files.request_id is not null
          and files.sender_email is not null
          and not exists (select 1 from notice_events as earlier
            where earlier.transfer_id = files.id and earlier.kind = 'receipt')`,
    )
    .onConflictDoNothing();
}

/**
 * The statement that notes the arrival of an upload through a request, for the batch that finishes the upload.
 * Idempotent.
 * @param at epoch milliseconds
 */
export function receivedNotice(db: Database, fileId: string, at: number) {
  return db
    .insert(noticeEvents)
    .select(
      sql`
        select ${sql.raw(NEW_ID)}, files.user_id, files.id, 'received', '', 1, ${at},
          case upload_requests.notify when 'daily' then null else ${at} end, null
        from files join upload_requests on upload_requests.id = files.request_id
        where files.id = ${fileId} and files.status = 'ready' and files.user_id is not null
          and upload_requests.notify <> 'off'
          and not exists (select 1 from notice_events as earlier
            where earlier.transfer_id = files.id and earlier.kind = 'received')`,
    )
    .onConflictDoNothing();
}
