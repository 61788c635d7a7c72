import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import { createRequestContext } from "#worker/context.ts";
import { openDatabase } from "#worker/db/client.ts";
import { countDownloads, type FinishedDownload } from "#worker/db/download-counts.ts";
import worker from "#worker/index.ts";
import { openLink } from "#worker/links/open-link.ts";
import { downloadsCounted, finishedDownload } from "../support/downloads.ts";
import { mailTo } from "../support/mails.ts";
import { signUpVerified, tokenIn, newAddress } from "../support/notices.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { addWebhook, ReceiverInbox } from "../support/webhooks.ts";
import { withMethod, workerWith } from "../support/worker-with-env.ts";
import { Client, contentPath, rowOf, runSql, sendFile, signUp, stopClockAt, type SentFile } from "../support/worker.ts";

/** A day that no other download of these tests falls on. */
const AT = Date.parse("2031-05-06T07:08:09Z");
const ABROAD = { day: "2031-05-06", next: "2031-05-07" };

/** What an owner and an administrator see of a transfer's downloads. */
function countsOf(id: string, token: string): Promise<Record<string, unknown>> {
  return rowOf(
    `select download_count as downloads,
      (select count from entry_downloads where file_id = files.id and n = 1) as ofFirstFile,
      (select downloads from overview_days where day = '${ABROAD.day}') as onDay,
      (select downloads from overview_days where day = '${ABROAD.next}') as onNextDay,
      (select downloads from recipients where token = ?2) as byAnn,
      (select first_download_at from recipients where token = ?2) as firstByAnn,
      (select last_download_at from recipients where token = ?2) as lastByAnn,
      (select sum(payload ->> '$.count') from webhook_deliveries where file_id = files.id and type = 'transfer.downloaded') as told,
      (select group_concat(count) from (select count from notice_events
        where transfer_id = files.id and kind = 'downloaded' order by recipient_id)) as noted
     from files where id = ?1`,
    id,
    token,
  );
}

function shuffled<Item>(items: Item[]): Item[] {
  const left = [...items];
  return items.map((_, n) => left.splice((n * 7) % left.length, 1)[0] as Item);
}

describe("messages of finished downloads", () => {
  let transfer: SentFile;
  let token = "";
  /** 30 downloads: 10 of the ZIP, 5 by the owner, 8 of the first file, 7 by Ann on the next day. */
  let downloads: FinishedDownload[] = [];
  const COUNTS = {
    downloads: 30,
    ofFirstFile: 8,
    onDay: 23,
    onNextDay: 7,
    byAnn: 7,
    firstByAnn: AT + DAY_MS,
    lastByAnn: AT + DAY_MS + 6,
    told: 30,
    noted: "18,7",
  };

  beforeEach(async () => {
    await runSql("delete from overview_days");
    const owner = await signUpVerified();
    await addWebhook(owner, new ReceiverInbox().url);
    await owner.patch("/api/notices", { downloaded: "each" });
    transfer = await sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")]);
    const ann = newAddress("ann");
    await owner.post(`/api/files/${transfer.uploadId}/share`, { email: ann });
    token = tokenIn((await mailTo(ann)).text);
    const make = (count: number, more: (n: number) => Partial<FinishedDownload>) =>
      Array.from({ length: count }, (_, n) => finishedDownload(transfer.uploadId, { at: AT, ...more(n) }));
    downloads = [
      ...make(10, () => ({ token: "nobody's" })),
      ...make(5, () => ({ isOwner: true })),
      ...make(8, () => ({ entry: 1 })),
      ...make(7, (n) => ({ token, at: AT + DAY_MS + n })),
    ];
    // What fails on purpose is logged.
    vi.spyOn(console, "error").mockReturnValue();
  });

  it("count once when each comes twice, out of order and late [DEC-4]", async () => {
    const messages = shuffled([...downloads, ...downloads]).map((body) => ({ body }));
    await env.DOWNLOADS.sendBatch(messages);
    await vi.waitUntil(async () => (await countsOf(transfer.uploadId, token)).downloads === 30);
    await env.DOWNLOADS.sendBatch(shuffled(messages).slice(0, 20));
    await downloadsCounted();
    expect(await countsOf(transfer.uploadId, token)).toEqual(COUNTS);
  });

  it("count once when consumers that overlap have some of them in common [DEC-4]", async () => {
    const db = openDatabase(env.DB);
    await Promise.all([0, 5, 10, 15].map((from) => countDownloads(db, downloads.slice(from, from + 15))));
    expect(await countsOf(transfer.uploadId, token)).toEqual(COUNTS);
  });

  it("count once when a consumer dies before or after any of its queries, and come again until then [DEC-4]", async () => {
    const consume = async (database: D1Database) => {
      const body = [...downloads];
      const messages = body.map((download) => ({
        id: download.id,
        timestamp: new Date(),
        attempts: 1,
        body: download,
      }));
      const batch = createMessageBatch("mayfly-downloads", messages);
      const context = createExecutionContext();
      await worker.queue(batch, { ...env, DB: database });
      return (await getQueueResult(batch, context)).retryBatch;
    };
    for (const died of [0, 1]) {
      for (const strikes of ["before", "after"]) {
        let query = -1;
        const dying = interceptQueries(env.DB, async (_queries, proceed) => {
          query += 1;
          const isDying = query === died;
          if (isDying && strikes === "before") throw new Error("killed");
          const answer = await proceed();
          if (isDying) throw new Error("killed");
          return answer;
        });
        expect(await consume(dying)).toEqual({ retry: true });
      }
    }
    expect(await consume(env.DB)).toEqual({ retry: false });
    expect(await countsOf(transfer.uploadId, token)).toEqual(COUNTS);
  });
});

describe("a download", () => {
  it("is counted by its request if the queue refuses its message [DEC-4]", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { uploadId, downloadId } = await sendFile(await signUp(), "some bytes");
    const full = withMethod(env.DOWNLOADS, "send", () => Promise.reject(new Error("Queue is overloaded")));
    await (await new Client("", workerWith({ ...env, DOWNLOADS: full })).fetch(contentPath(downloadId))).arrayBuffer();
    const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await expect.poll(find).toEqual({ n: 1 });
  });

  it("of a link that is downloaded 2,000 times a second costs at most 0.05 statements", async () => {
    const { uploadId, downloadId } = await sendFile(await signUp(), "some bytes");
    let statements = 0;
    const counting = interceptQueries(env.DB, (queries, proceed) => {
      statements += queries.length;
      return proceed();
    });
    // Downloads of accounts younger than 30 days are counted by the day, too.
    await runSql("update users set created_at = 0 where id = (select user_id from files where id = ?)", uploadId);
    const context = createRequestContext(new Request(new URL(contentPath(downloadId), env.APP_ORIGIN)), {
      ...env,
      DB: counting,
    });
    const start = Date.now();
    // The first second finds out that the link is busy. Its first download is mailed about, the others are not.
    stopClockAt(start);
    for (let n = 0; n < 50; n += 1) await openLink(context, downloadId, "bytes", start + n * 20);
    await countDownloads(openDatabase(env.DB), [finishedDownload(uploadId)]);
    statements = 0;
    // One of sixteen isolates, which have 125 downloads a second each, for four seconds.
    for (let n = 0; n < 500; n += 1) await openLink(context, downloadId, "bytes", start + 1000 + n * 8);
    const openings = (statements / 4) * 16;
    statements = 0;
    for (let batch = 0; batch < 20; batch += 1) {
      const downloads = Array.from({ length: 100 }, () => finishedDownload(uploadId));
      await countDownloads(openDatabase(counting), downloads);
    }
    expect(openings).toBeLessThanOrEqual(20);
    expect(statements).toBe(80);
    expect((openings + statements) / 2000).toBeLessThanOrEqual(0.05);
    expect(await rowOf("select download_count as n from files where id = ?", uploadId)).toEqual({ n: 2001 });
  });
});
