import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { WEBHOOK_EVENTS, type WebhookEvent } from "#domain/webhooks/events.ts";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { markQueued, takeDeliveries } from "#worker/db/webhook-deliveries.ts";
import { deliver } from "#worker/webhooks/deliver.ts";
import { chunksOf, finalize, init, put } from "../support/chunked.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { addWebhook, ReceiverInbox, runChoreAt } from "../support/webhooks.ts";
import { Client, contentPath, logInAdmin, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const services = servicesFor(env);
const visitor = new Client();

let owner: Awaited<ReturnType<typeof signUp>>;
let inbox: ReceiverInbox;
let webhook: Awaited<ReturnType<typeof addWebhook>>;

beforeEach(async () => {
  owner = await signUp();
  inbox = new ReceiverInbox();
  webhook = await addWebhook(owner, inbox.url);
});

interface Stored {
  type: WebhookEvent;
  state: string;
  file_id: string;
  payload: string;
}

/** In the order in which they were written. */
async function eventsOf(fileId: string): Promise<Stored[]> {
  const { results } = await env.DB.prepare(
    "select type, state, file_id, payload from webhook_deliveries where webhook_id = ? and file_id = ? order by rowid",
  )
    .bind(webhook.id, fileId)
    .all<Stored>();
  return results;
}
const typesOf = async (fileId: string) => (await eventsOf(fileId)).map(({ type }) => type);

async function download(path: string, fileId: string): Promise<void> {
  const before = await rowOf<{ n: number }>("select download_count as n from files where id = ?", fileId);
  const response = await visitor.fetch(path);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", fileId);
  await vi.waitUntil(async () => (await find()).n > before.n);
}

async function expire(fileId: string): Promise<void> {
  await runSql("update files set expires_at = 1 where id = ?", fileId);
  await sweep(services, Date.now);
}

/** Every way in which a link becomes ready. */
const WAYS: Record<string, () => Promise<{ uploadId: string; downloadId: string }>> = {
  "a single PUT": () => sendFile(owner, "some bytes"),
  "a form": async () => {
    const form = new FormData();
    form.set("file", new File(["some bytes"], "a file.txt"));
    const { downloadId } = await (
      await owner.postForm("/api/direct-upload/proxy-upload", form)
    ).json<{ downloadId: string }>();
    const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
    return { uploadId: id, downloadId };
  },
  chunks: async () => {
    const bytes = new TextEncoder().encode("some bytes");
    const started = await init(owner, bytes.byteLength);
    for (const [index, chunk] of chunksOf(bytes, started.chunkSize).entries()) {
      await put(owner, started.uploadId, index, chunk);
    }
    await finalize(owner, started.uploadId);
    return started;
  },
  "a transfer of two files": () => sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")]),
};

describe.each(Object.entries(WAYS))("a link that came by %s", (_way, send) => {
  it("tells that it was uploaded, downloaded and has expired", async () => {
    const { uploadId, downloadId } = await send();
    expect(await typesOf(uploadId)).toEqual(["transfer.uploaded"]);
    await download(contentPath(downloadId), uploadId);
    expect(await typesOf(uploadId)).toEqual(["transfer.uploaded", "transfer.downloaded"]);
    await expire(uploadId);
    expect(await typesOf(uploadId)).toEqual(["transfer.uploaded", "transfer.downloaded", "transfer.expired"]);
  });

  it("tells that its owner has deleted it, and not that it has expired", async () => {
    const { uploadId } = await send();
    expect((await owner.delete(`/api/files/${uploadId}`)).status).toBe(200);
    await runSql("update files set s3_deleted_at = null where id = ?", uploadId);
    await sweep(services, Date.now);
    expect(await typesOf(uploadId)).toEqual(["transfer.uploaded", "transfer.deleted"]);
  });
});

describe("the change of a row and its event are one", () => {
  /** What each event says, as a number that only its batch changes. */
  const COUNTS: Record<WebhookEvent, string> = {
    "transfer.uploaded":
      "select count(*) as n from files where user_id = ? and status = 'ready' and request_id is null",
    "transfer.downloaded": "select count(*) as n from files where user_id = ? and download_count > 0",
    "transfer.expired": `select count(*) as n from files
      where user_id = ? and s3_deleted_at is not null and deleted_at is null and not admin_deleted`,
    "transfer.deleted": "select count(*) as n from files where user_id = ? and deleted_at is not null",
    "request.received": "select count(*) as n from files where user_id = ? and request_id is not null",
  };

  it("in every statement that the code has for it [HOOK-3]", async () => {
    const sent = [];
    for (const send of Object.values(WAYS)) sent.push(await send(), await send(), await send());
    for (const [at, { uploadId, downloadId }] of sent.entries()) {
      if (at % 3 === 0) await download(contentPath(downloadId), uploadId);
      if (at % 3 === 1) await expire(uploadId);
      if (at % 3 === 2) await owner.delete(`/api/files/${uploadId}`);
    }
    await new Sender(await createRequest(owner)).send([textFile("c.txt")]);
    const expected: Partial<Record<WebhookEvent, number>> = { "transfer.uploaded": 12, "request.received": 1 };
    for (const type of WEBHOOK_EVENTS) {
      const rows = await rowOf<{ n: number }>(COUNTS[type], owner.id);
      expect(rows.n, type).toBe(expected[type] ?? 4);
      const told = await rowOf<{ n: number }>(
        "select count(distinct file_id) as n from webhook_deliveries where webhook_id = ? and type = ?",
        webhook.id,
        type,
      );
      expect([type, told.n]).toEqual([type, rows.n]);
    }
  });
});

describe("an event", () => {
  it("says what the owner may know of the link, and no address", async () => {
    const { uploadId, downloadId } = await sendFile(owner, "some bytes", { filename: 'a "file".txt' });
    await download(contentPath(downloadId), uploadId);
    await expire(uploadId);
    await runChoreAt(Date.now() + 2 * MINUTE_MS);
    const { expires, uploaded } = await rowOf<{ expires: string; uploaded: number }>(
      "select json_extract(payload, '$.expiresAt') as expires, created_at as uploaded from webhook_deliveries where event_id = ?",
      `${uploadId}_transfer_uploaded`,
    );
    expect(Date.parse(expires)).toBe(uploaded + DAY_MS);
    const data = {
      id: uploadId,
      downloadId,
      link: `${env.APP_ORIGIN}/download/${downloadId}`,
      name: 'a "file".txt',
      size: 10,
      entries: null,
    };
    const bodies = await inbox.bodies(3);
    expect(bodies.map(({ type, data: told }) => ({ type, data: told }))).toEqual(
      expect.arrayContaining([
        { type: "transfer.uploaded", data: { ...data, expiresAt: expires } },
        { type: "transfer.downloaded", data: { ...data, count: 1 } },
        { type: "transfer.expired", data: { ...data, reason: "time" } },
      ]),
    );
  });

  it("is known by its file and its whole type", async () => {
    const { uploadId } = await sendFile(owner, "some bytes");
    await owner.delete(`/api/files/${uploadId}`);
    const expired = await sendFile(owner, "some bytes");
    await expire(expired.uploadId);
    const received = await new Sender(await createRequest(owner)).send([textFile("c.txt")]);
    const { results } = await env.DB.prepare(
      "select event_id as id from webhook_deliveries where webhook_id = ? order by rowid",
    )
      .bind(webhook.id)
      .all<{ id: string }>();
    expect(results.map(({ id }) => id)).toEqual([
      `${uploadId}_transfer_uploaded`,
      `${uploadId}_transfer_deleted`,
      `${expired.uploadId}_transfer_uploaded`,
      `${expired.uploadId}_transfer_expired`,
      `${received.uploadId}_request_received`,
    ]);
  });

  it.each([
    ["another type that ends alike does not hold it up", "request.deleted", ["request.deleted", "transfer.deleted"]],
    ["the same type does, so that nothing is told twice", "transfer.deleted", ["transfer.deleted"]],
  ])("whose id ends with the last word: %s", async (_what, type, told) => {
    await runSql("update webhooks set events = json_array('transfer.deleted') where id = ?", webhook.id);
    const { uploadId } = await sendFile(owner, "some bytes");
    await runSql(
      `insert into webhook_deliveries
        (id, webhook_id, file_id, event_id, type, payload, state, next_attempt_at, created_at)
        values (?1, ?2, ?3, ?3 || '_deleted', ?4, '{}', 'delivered', 0, 0)`,
      crypto.randomUUID(),
      webhook.id,
      uploadId,
      type,
    );
    await owner.delete(`/api/files/${uploadId}`);
    expect(await typesOf(uploadId)).toEqual(told);
  });

  it("of a transfer has its title and the number of its files", async () => {
    const { uploadId } = await sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")], { title: "Two files" });
    expect(JSON.parse((await eventsOf(uploadId))[0]?.payload ?? "")).toMatchObject({ name: "Two files", entries: 2 });
  });

  it("of a link whose last download was used says so", async () => {
    const { uploadId } = await sendFile(owner, "some bytes");
    await runSql("update files set end_reason = 'downloads' where id = ?", uploadId);
    await expire(uploadId);
    expect(JSON.parse((await eventsOf(uploadId)).at(-1)?.payload ?? "")).toMatchObject({ reason: "downloads" });
  });

  it("goes to those webhooks of the owner that want it", async () => {
    await runSql("update users set plan_type = 'professional' where id = ?", owner.id);
    const other = await addWebhook(owner, inbox.url, ["transfer.deleted"]);
    const off = await addWebhook(owner, inbox.url);
    await owner.patch(`/api/webhooks/${off.id}`, { enabled: false });
    const { uploadId } = await sendFile(owner, "some bytes");
    await owner.delete(`/api/files/${uploadId}`);
    const { results } = await env.DB.prepare(
      "select webhook_id as id, type from webhook_deliveries where file_id = ? order by type, webhook_id = ?",
    )
      .bind(uploadId, other.id)
      .all();
    expect(results).toEqual([
      { id: webhook.id, type: "transfer.deleted" },
      { id: other.id, type: "transfer.deleted" },
      { id: webhook.id, type: "transfer.uploaded" },
    ]);
  });

  it("is not told of a take-down, of another person's file, or of a cancelled upload", async () => {
    const { uploadId } = await sendFile(owner, "some bytes");
    const root = await logInAdmin();
    expect((await root.delete(`/api/admin/files/${uploadId}`)).status).toBe(200);
    expect(await typesOf(uploadId)).toEqual(["transfer.uploaded"]);
    const theirs = await sendFile(await signUp(), "some bytes");
    expect(await typesOf(theirs.uploadId)).toEqual([]);
    const cancelled = await owner.startUpload(5);
    await owner.post("/api/direct-upload/cancel", { downloadId: cancelled.downloadId });
    expect(await typesOf(cancelled.uploadId)).toEqual([]);
  });
});

describe("downloads of a link", () => {
  it("within a minute are one event with their count; the next minute's are another [HOOK-4]", async () => {
    const { uploadId, downloadId } = await sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")]);
    await download(contentPath(downloadId), uploadId);
    await download(`/api/files/download/${downloadId}/entries/1/content`, uploadId);
    await download(contentPath(downloadId), uploadId);
    const [, counted] = await eventsOf(uploadId);
    expect([counted?.state, (JSON.parse(counted?.payload ?? "") as { count: number }).count]).toEqual([
      "collecting",
      3,
    ]);
    await runChoreAt(Date.now() + MINUTE_MS);
    await download(contentPath(downloadId), uploadId);
    await runChoreAt(Date.now() + 3 * MINUTE_MS);
    const told = (await inbox.bodies(3)).flatMap((body) => (body.type === "transfer.downloaded" ? [body.data] : []));
    expect(told.map(({ count }) => count)).toEqual([3, 1]);
  });

  it("are counted in their event until somebody takes it, also while it is in the queue [HOOK-4]", async () => {
    await owner.patch(`/api/webhooks/${webhook.id}`, { events: ["transfer.downloaded"] });
    const { uploadId, downloadId } = await sendFile(owner, "some bytes");
    await download(contentPath(downloadId), uploadId);
    const later = Date.now() + MINUTE_MS;
    const queued = await markQueued(services.db, later, later, 1000);
    await download(contentPath(downloadId), uploadId);
    // Until the same moment, so that it is due again at once.
    await takeDeliveries(services.db, queued, later, later);
    await download(contentPath(downloadId), uploadId);
    await deliver(services, queued, () => later);
    const [told] = await inbox.bodies(1);
    expect(told?.data).toMatchObject({ count: 2 });
    expect(await eventsOf(uploadId)).toMatchObject([{ state: "delivered" }, { state: "collecting" }]);
  });

  it("are not lost when many finish at once [HOOK-4]", async () => {
    const { uploadId, downloadId } = await sendFile(owner, "some bytes");
    const bytes = async () => (await visitor.fetch(contentPath(downloadId))).arrayBuffer();
    await Promise.all(Array.from({ length: 12 }, bytes));
    const counted = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await vi.waitUntil(async () => (await counted()).n === 12);
    const told = await rowOf<{ n: number }>(
      "select sum(json_extract(payload, '$.count')) as n from webhook_deliveries where file_id = ?",
      uploadId,
    );
    expect(told.n).toBe(12);
  });
});
