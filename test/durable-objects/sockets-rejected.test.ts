// @module-tag long
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "#domain/units.ts";
import { socketRequest } from "#durable-objects/shared/session-sockets.ts";
import { createApp } from "#worker/app.ts";
import { Client, signUp, stopClockAt } from "../support/worker.ts";
import { connectSocket, Page, progressMessage } from "./page.ts";
import { IN_ONE_PUT, IN_PARTS, sendAll, startUpload, storedParts, type Upload } from "./support.ts";

let upload: Upload;
beforeEach(async () => {
  upload = await startUpload(IN_PARTS);
});

/** A valid message of exactly this many bytes. */
function messageOf(bytes: number): string {
  const receipts = [{ part: 2, etag: "abc" }];
  const empty = JSON.stringify({ type: "receipts", receipts, padding: "" }).length;
  return JSON.stringify({ type: "receipts", receipts, padding: "x".repeat(bytes - empty) });
}

const receiptOf = (part: unknown, etag: unknown = "abc") =>
  JSON.stringify({ type: "receipts", receipts: [{ part, etag }] });
const tooMany = Array.from({ length: 13 }, () => ({ part: 2, etag: "abc" }));

/** A forged admission header. */
const asSender = socketRequest(new Request(env.APP_ORIGIN), { role: "sender", limit: null }).headers;

describe("the sender's socket is closed, and nothing changes, when it sends", () => {
  it.each([
    { what: "binary", data: new Uint8Array(new TextEncoder().encode(receiptOf(2))).buffer, code: 1007 },
    { what: "no JSON", data: "receipts", code: 1007 },
    { what: "nothing", data: "", code: 1007 },
    { what: "null", data: "null", code: 1007 },
    { what: "a kind that does not exist", data: JSON.stringify({ type: "upload_ended", status: "ready" }), code: 1007 },
    { what: "part 0", data: receiptOf(0), code: 1007 },
    { what: "half a part", data: receiptOf(1.5), code: 1007 },
    { what: "a part's number as text", data: receiptOf("2"), code: 1007 },
    { what: "an ETag that is none", data: receiptOf(2, "<script>"), code: 1007 },
    { what: "no receipts", data: JSON.stringify({ type: "receipts", receipts: [] }), code: 1007 },
    { what: "too many receipts", data: JSON.stringify({ type: "receipts", receipts: tooMany }), code: 1007 },
    { what: "101 percent", data: JSON.stringify(progressMessage(101)), code: 1007 },
    { what: "a negative percentage", data: JSON.stringify(progressMessage(-1)), code: 1007 },
    { what: "percent as text", data: JSON.stringify({ ...progressMessage(1), progress: "<b>" }), code: 1007 },
    {
      what: "a status that is too long",
      data: JSON.stringify(progressMessage(1, { statusMessage: "x".repeat(201) })),
      code: 1007,
    },
    { what: "4,097 bytes [LIM-17]", data: messageOf(4097), code: 1009 },
    {
      what: "too many bytes in few characters",
      data: `${messageOf(4000).slice(0, -2)}${"é".repeat(50)}"}`,
      code: 1009,
    },
  ])("$what", async ({ data, code }) => {
    const sender = await Page.open(upload, upload.owner);
    const other = await Page.open(upload, upload.owner);
    const watcher = await Page.open(upload, new Client());
    sender.sendRaw(data);
    expect((await sender.closed).code).toBe(code);

    other.send(progressMessage(5));
    while ((await watcher.next("upload_progress")).progress !== 5);
    expect(watcher.received).toHaveLength(2);
    expect(await storedParts(upload)).toEqual([]);
  });

  it("a message of 4,096 bytes is accepted [LIM-17]", async () => {
    const sender = await Page.open(upload, upload.owner);
    await sender.next("received");
    sender.sendRaw(messageOf(4096));
    expect(await sender.next("received")).toEqual({ type: "received", parts: [2] });
  });

  it("an eleventh message within a second; ten in each of two seconds are accepted [LIM-16]", async () => {
    const limited = await startUpload(IN_PARTS);
    const sender = await Page.open(limited, limited.owner);
    await sender.next("received");
    const sendReceipts = async (count: number) => {
      for (let sent = 0; sent < count; sent += 1) sender.sendRaw(receiptOf(1));
      for (let heard = 0; heard < count; heard += 1) await sender.next("received");
    };
    const begin = Date.now();
    stopClockAt(begin);
    await sendReceipts(10);
    stopClockAt(begin + 1000);
    await sendReceipts(10);
    stopClockAt(begin + 1999);
    sender.sendRaw(receiptOf(2));
    expect(await sender.closed).toEqual({ code: 1008, reason: "Too many messages per second." });
    expect(await storedParts(limited)).toEqual([1]);
  });
});

describe("a watcher", () => {
  it.each([
    { who: "a visitor", open: () => Page.open(upload, new Client()) },
    { who: "another account", open: async () => Page.open(upload, await signUp()) },
    {
      who: "a visitor who forges the admission header",
      open: () => Page.open(upload, new Client(), asSender),
    },
  ])("is disconnected after any message: $who [LIM-16]", async ({ open }) => {
    const sender = await Page.open(upload, upload.owner);
    await sender.next("received");
    for (const data of [receiptOf(1), JSON.stringify(progressMessage(99)), "?"]) {
      const watcher = await open();
      watcher.sendRaw(data);
      expect((await watcher.closed).code).toBe(1008);
      expect(watcher.all("received")).toEqual([]);
    }
    sender.sendRaw(receiptOf(3));
    await sender.next("received");
    expect(sender.all("upload_progress").map(({ progress }) => progress)).toEqual([0]);
    expect(await storedParts(upload)).toEqual([3]);
  });

  it("receives no receipts, even with a forged admission header", async () => {
    const watcher = await Page.open(upload, new Client(), asSender);
    const sender = await Page.open(upload, upload.owner);
    sender.send(progressMessage(5));
    while ((await watcher.next("upload_progress")).progress !== 5);
    expect(new Set(watcher.received.map(({ type }) => type))).toEqual(new Set(["upload_progress"]));
  });
});

describe("a socket is rejected", () => {
  it("for another site's page, with or without a session", async () => {
    for (const client of [upload.owner, new Client()]) {
      for (const origin of ["https://evil.example", "null", `${env.APP_ORIGIN}.evil.example`]) {
        expect((await connectSocket(client, upload.downloadId, { origin })).status).toBe(403);
      }
    }
  });

  it("but accepted for our own pages", async () => {
    const page = await Page.open(upload, upload.owner, { origin: env.APP_ORIGIN });
    expect(await page.next("upload_progress")).toMatchObject({ progress: 0 });
  });

  it("without an Upgrade header", async () => {
    const response = await upload.owner.fetch(`/ws?id=${upload.downloadId}`);
    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ code: "UPGRADE_REQUIRED" });
  });

  it.each(["", "unknown", "A".repeat(22), "..%2F..%2F", "'%20or%201=1"])("for the unknown id %j", async (id) => {
    expect((await connectSocket(upload.owner, id)).status).toBe(404);
  });

  it("for a file that has expired", async () => {
    const finished = await startUpload(IN_ONE_PUT);
    await sendAll(finished);
    await finished.owner.complete(finished.downloadId);
    await env.DB.prepare("update files set expires_at = ? where id = ?").bind(Date.now(), finished.id).run();
    expect((await connectSocket(finished.owner, finished.downloadId)).status).toBe(410);
  });
});

describe("the number of open sockets is limited", () => {
  const api = createApp();
  const limited = { ...env, RATE_LIMITS: "on" };

  function browser(address: string, cookie = ""): Client {
    return new Client(cookie, (request) => {
      const headers = new Headers(request.headers);
      headers.set("cf-connecting-ip", address);
      return api.fetch(new Request(request, { headers }), limited);
    });
  }

  const unusedAddress = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;

  async function openMany(client: () => Client, count: number, of: Upload[]): Promise<Page[]> {
    const pages: Page[] = [];
    for (let index = 0; index < count; index += 1) {
      const page = await Page.open(of[index % of.length] ?? upload, client());
      pages.push(page);
    }
    return pages;
  }

  it.each([
    { who: "an account", most: 25, client: () => browser(unusedAddress(), upload.owner.cookie) },
    {
      who: "a visitor's address",
      most: 20,
      client: ((address = unusedAddress()) => {
        return () => browser(address);
      })(),
    },
  ])(
    "for $who, over all uploads: one more is 429, and a closed socket frees a slot [LIM-16]",
    async ({ most, client }) => {
      const other = await startUpload(IN_ONE_PUT);
      const pages = await openMany(client, most, [upload, other]);
      const rejected = await connectSocket(client(), other.downloadId);
      expect([rejected.status, await rejected.json()]).toMatchObject([429, { code: "RATE_LIMITED" }]);
      await Page.open(upload, browser(unusedAddress()));
      pages[0]?.close();
      await expect.poll(async () => (await connectSocket(client(), upload.downloadId)).status).toBe(101);
    },
  );

  it("and an upload's stale count expires after an hour", async () => {
    const address = unusedAddress();
    await openMany(() => browser(address), 20, [upload]);
    const other = await startUpload(IN_ONE_PUT);
    expect((await connectSocket(browser(address), other.downloadId)).status).toBe(429);
    stopClockAt(Date.now() + HOUR_MS);
    expect((await connectSocket(browser(address), other.downloadId)).status).toBe(101);
  });

  it("to 2,000 for an upload, but its sender can always connect [LIM-16]", async () => {
    // Keeps a reference: a garbage-collected pair is closed.
    const pairs: InstanceType<typeof WebSocketPair>[] = [];
    await runInDurableObject(upload.stub, (_, state) => {
      for (let index = 0; index < 1999; index += 1) {
        const pair = new WebSocketPair();
        pairs.push(pair);
        pair[1].serializeAttachment({ subject: null });
        state.acceptWebSocket(pair[1], ["watcher"]);
      }
    });
    const last = await Page.open(upload, browser(unusedAddress()));
    expect((await connectSocket(browser(unusedAddress()), upload.downloadId)).status).toBe(429);
    expect((await connectSocket(browser(unusedAddress(), upload.owner.cookie), upload.downloadId)).status).toBe(101);
    expect(await last.next("upload_progress")).toMatchObject({ progress: 0 });
    expect(pairs).toHaveLength(1999);
  });
});
