import { sql, type SQL } from "drizzle-orm";
import { DOWNLOADS_WINDOW_MS } from "#domain/webhooks/delivery.ts";
import type { WebhookEvent } from "#domain/webhooks/events.ts";
import type { Database } from "./client.ts";
import { files, webhookDeliveries } from "./schema.ts";

/** Statements for the batch that causes an event, so that no event is lost or invented (decision 033). */

const FILE = `'id', files.id, 'downloadId', files.download_id, 'name', iif(files.seal is null, files.filename, null),
  'size', files.size, 'entries', files.entry_count`;

/** The further fields of an event's `data`. Dates are ISO 8601. */
const MORE: Record<WebhookEvent, string> = {
  "transfer.uploaded": `, 'expiresAt', strftime('%Y-%m-%dT%H:%M:%fZ', files.expires_at / 1000.0, 'unixepoch')`,
  "transfer.downloaded": `, 'count', 1`,
  "transfer.expired": `, 'reason', coalesce(files.end_reason, 'time')`,
  "transfer.deleted": "",
  "request.received": `, 'requestId', files.request_id,
    'requestTitle', (select title from upload_requests where upload_requests.id = files.request_id),
    'senderName', files.sender_name, 'senderEmail', files.sender_email`,
};

/** A file received through a request has no link, so its payload has no `downloadId`. */
const payloadOf = (type: WebhookEvent) =>
  type === "request.received"
    ? `json_remove(json_object(${FILE}${MORE[type]}), '$.downloadId')`
    : `json_object(${FILE}${MORE[type]})`;

/** Looks up the file first and then its owner's webhooks, because most owners have no webhook. */
const FROM = `from files cross join webhooks on webhooks.user_id = files.user_id`;
const wants = (type: WebhookEvent) => `webhooks.disabled_at is null
  and exists (select 1 from json_each(webhooks.events) where json_each.value = '${type}')`;
const NEW_ID = "lower(hex(randomblob(16)))";

/** The end of an event's id, `FILE_TYPE`. Contains the whole type, since two types may end with the same word. */
const suffixOf = (type: WebhookEvent) => `_${type.replace(".", "_")}`;
/** Older deliveries may keep an id with the type's last word alone, because receivers know events by their ids. */
const isToldByLastWord = (type: WebhookEvent) => `exists (select 1 from webhook_deliveries as told
  where told.event_id = files.id || '_${type.slice(type.indexOf(".") + 1)}' and told.webhook_id = webhooks.id
    and told.type = '${type}')`;

/**
 * Inserts a waiting delivery for each webhook that wants the event. Idempotent: a file has one event of each type.
 * @param condition on rows of `files` @param at epoch milliseconds @param queuedAt if the caller gives the deliveries to
 * the queue: when, in epoch milliseconds; null if the cron is to do so
 */
export function webhookEventInsert(
  db: Database,
  type: Exclude<WebhookEvent, "transfer.downloaded">,
  condition: SQL,
  at: number,
  queuedAt: number | null,
) {
  const eventId = `files.id || '${suffixOf(type)}'`;
  return db
    .insert(webhookDeliveries)
    .select(
      sql`
        select ${sql.raw(`${NEW_ID}, webhooks.id, files.id, ${eventId}, '${type}', ${payloadOf(type)}`)},
          'waiting', 0, ${at}, ${queuedAt}, null, null, ${at}
        ${sql.raw(FROM)} where ${condition} and ${sql.raw(wants(type))}
          and not ${sql.raw(isToldByLastWord(type))}`,
    )
    .onConflictDoNothing();
}

/** SQL over `webhooks`: wants to be told of downloads. */
export const WANTS_DOWNLOADS = wants("transfer.downloaded");

const DOWNLOADED = `
  insert into webhook_deliveries
    (id, webhook_id, file_id, event_id, type, payload, state, attempts, next_attempt_at, created_at)
  select ${NEW_ID}, webhooks.id, files.id, ${NEW_ID}, 'transfer.downloaded',
    json_set(${payloadOf("transfer.downloaded")}, '$.count', told.value ->> 'count'),
    'collecting', 0, (told.value ->> 'first') + ${DOWNLOADS_WINDOW_MS}, told.value ->> 'first'
  from json_each(?) as told cross join files on files.id = told.value ->> 'file'
    cross join webhooks on webhooks.user_id = files.user_id
  where ${WANTS_DOWNLOADS}
  on conflict (webhook_id, file_id) where state = 'collecting'
  do update set payload = json_set(payload, '$.count', (payload ->> '$.count') + (excluded.payload ->> '$.count'))`;

/**
 * Counts downloads in the links' events, each of which collects downloads for a minute. The SQL is handwritten for
 * speed: see worker/db/client.ts. @param downloads by file; `first`: epoch milliseconds
 */
export function downloadedEvents(
  { $client }: Database,
  downloads: readonly { file: string; count: number; first: number }[],
): D1PreparedStatement {
  return $client.prepare(DOWNLOADED).bind(JSON.stringify(downloads));
}

/** A condition of `webhookEventInsert` that selects one file. */
export function isFile(fileId: string, condition: SQL): SQL {
  return sql`${files.id} = ${fileId} and ${condition}`;
}
