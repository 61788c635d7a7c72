import { sql, type SQL } from "drizzle-orm";
import { MINUTE_MS } from "#domain/units.ts";
import { DOWNLOADS_WINDOW_MS } from "#domain/webhooks/delivery.ts";
import type { WebhookEvent } from "#domain/webhooks/events.ts";
import type { Database } from "./client.ts";
import { files, webhookDeliveries } from "./schema.ts";

/** Statements for the batch that makes an event true, so that none is lost and none is invented (decision 033). */

/** The first try follows the answer of the call that finished an upload; the cron takes over after this time. */
const FIRST_TRY_MS = MINUTE_MS;

const FILE = `'id', files.id, 'downloadId', files.download_id, 'name', iif(files.seal is null, files.filename, null),
  'size', files.size, 'entries', files.entry_count`;

/** What `data` has besides. Dates are ISO 8601. */
const MORE: Record<WebhookEvent, string> = {
  "transfer.uploaded": `, 'expiresAt', strftime('%Y-%m-%dT%H:%M:%fZ', files.expires_at / 1000.0, 'unixepoch')`,
  "transfer.downloaded": `, 'count', 1`,
  "transfer.expired": `, 'reason', coalesce(files.end_reason, 'time')`,
  "transfer.deleted": "",
  "request.received": `, 'requestId', files.request_id,
    'requestTitle', (select title from upload_requests where upload_requests.id = files.request_id),
    'senderName', files.sender_name, 'senderEmail', files.sender_email`,
};

/** What came through a request has no link. */
const payloadOf = (type: WebhookEvent) =>
  type === "request.received"
    ? `json_remove(json_object(${FILE}${MORE[type]}), '$.downloadId')`
    : `json_object(${FILE}${MORE[type]})`;

/** A file is looked up first, and then the webhooks of its owner: most owners have none. */
const FROM = `from files cross join webhooks on webhooks.user_id = files.user_id`;
const wants = (type: WebhookEvent) => `webhooks.disabled_at is null
  and exists (select 1 from json_each(webhooks.events) where json_each.value = '${type}')`;
const NEW_ID = "lower(hex(randomblob(16)))";

/** An event of a file has the id `FILE_TYPE`: the whole type, since two types may end alike. */
const suffixOf = (type: WebhookEvent) => `_${type.replace(".", "_")}`;
/** Stored deliveries may have the id of the type's last word alone, and keep it: receivers know events by their ids. */
const isToldByLastWord = (type: WebhookEvent) => `exists (select 1 from webhook_deliveries as told
  where told.event_id = files.id || '_${type.slice(type.indexOf(".") + 1)}' and told.webhook_id = webhooks.id
    and told.type = '${type}')`;

/**
 * A waiting delivery for each webhook that wants the event. Idempotent: a file has one event of each type.
 * @param condition on rows of `files` @param at epoch milliseconds
 */
export function webhookEventInsert(
  db: Database,
  type: Exclude<WebhookEvent, "transfer.downloaded">,
  condition: SQL,
  at: number,
) {
  const eventId = `files.id || '${suffixOf(type)}'`;
  const dueAt = type === "transfer.uploaded" ? at + FIRST_TRY_MS : at;
  return db
    .insert(webhookDeliveries)
    .select(
      sql`
        select ${sql.raw(`${NEW_ID}, webhooks.id, files.id, ${eventId}, '${type}', ${payloadOf(type)}`)},
          'waiting', 0, ${dueAt}, null, null, ${at}
        ${sql.raw(FROM)} where ${condition} and ${sql.raw(wants(type))}
          and not ${sql.raw(isToldByLastWord(type))}`,
    )
    .onConflictDoNothing();
}

/** The id of the event that `webhookEventInsert` adds. */
export function uploadedEventId(fileId: string): string {
  return `${fileId}${suffixOf("transfer.uploaded")}`;
}

const DOWNLOADED = `
  insert into webhook_deliveries
    (id, webhook_id, file_id, event_id, type, payload, state, attempts, next_attempt_at, created_at)
  select ${NEW_ID}, webhooks.id, files.id, ${NEW_ID}, 'transfer.downloaded', ${payloadOf("transfer.downloaded")},
    'collecting', 0, ?2 + ${DOWNLOADS_WINDOW_MS}, ?2
  ${FROM} where files.id = ?1 and ${wants("transfer.downloaded")}
  on conflict (webhook_id, file_id) where state = 'collecting'
  do update set payload = json_set(payload, '$.count', (payload ->> '$.count') + 1)`;

/**
 * Downloads of a link within a minute become one event with their count. Hand-written SQL: see worker/db/client.ts.
 * @param at epoch milliseconds
 */
export function downloadedEvent({ $client }: Database, fileId: string, at: number): D1PreparedStatement {
  return $client.prepare(DOWNLOADED).bind(fileId, at);
}

/** The condition of `webhookEventInsert` for one file. */
export function isFile(fileId: string, condition: SQL): SQL {
  return sql`${files.id} = ${fileId} and ${condition}`;
}
