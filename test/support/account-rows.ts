import { env } from "cloudflare:workers";
import type { AccountFixture } from "./account-fixture.ts";
import { queuedMailsSent } from "./mails.ts";

/** Every row with data of the owner, once no mail is on its way from one table to another. */
export async function rowsOf({ owner, ...ids }: AccountFixture): Promise<string[]> {
  await queuedMailsSent();
  const uploads = [ids.fileId, ids.chunkedId, ids.upload.uploadId, ids.transfer.fileId, ids.startedTransfer.fileId];
  const marks = [owner.id, owner.email, ...uploads, ids.pageId, ids.messageId];
  const { results: tables } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\' and name not like 'sqlite%'
       and name not in ('entry_downloads', 'new_account_days', 'notice_events')`,
  ).all<{ name: string }>();
  const all = await env.DB.batch<object>(tables.map(({ name }) => env.DB.prepare(`select * from ${name}`)));
  // Ignores the counts of downloads and of reports, because everyone with the link may download and report.
  const counts = { download_count: 0, count: 0, latest_at: 0, report_id: 0, detail: 0 };
  const rows = all.flatMap(({ results }, index) =>
    results.map((row) => `${tables[index]?.name ?? ""} ${JSON.stringify({ ...row, ...counts })}`),
  );
  return rows.filter((row) => marks.some((mark) => row.includes(mark)));
}
