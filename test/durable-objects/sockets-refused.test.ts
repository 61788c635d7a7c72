import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS } from "#domain/units.ts";
import { socketRequest } from "#durable-objects/upload-sockets.ts";
import { createApp } from "#worker/app.ts";
import { Client, signUp, stopClockAt } from "../support/worker.ts";
import { askForSocket, Page, progressMessage } from "./page.ts";
import { IN_ONE_PUT, IN_PARTS, sendAll, startUpload, storedParts, type Upload } from "./support.ts";

let upload: Upload;
beforeEach(async () => {
  upload = await startUpload(IN_PARTS);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A message of exactly that many bytes, which is one in every other respect. */
function messageOf(bytes: number): string {
  const receipts = [{ part: 2, etag: "abc" }];
  const empty = JSON.stringify({ type: "receipts", receipts, padding: "" }).length;
  return JSON.stringify({ type: "receipts", receipts, padding: "x".repeat(bytes - empty) });
}

const receiptOf = (part: unknown, etag: unknown = "abc") =>
  JSON.stringify({ type: "receipts", receipts: [{ part, etag }] });
const tooMany = Array.from({ length: 13 }, () => ({ part: 2, etag: "abc" }));

/** What the Worker tells an upload about its sender, from somebody who says so themselves. */
const asSender = socketRequest(new Request(env.APP_ORIGIN), { role: "sender", limit: null }).headers;

describe("the sender's page is cut off, and nothing changes, when it sends", () => {
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
    { what: "less than nothing", data: JSON.stringify(progressMessage(-1)), code: 1007 },
    { what: "percent as text", data: JSON.stringify({ ...progressMessage(1), progress: "<b>" }), code: 1007 },
    {
      what: "an endless status",
      data: JSON.stringify(progressMessage(1, { statusMessage: "x".repeat(201) })),
      code: 1007,
    },
    { what: "4,097 bytes", data: messageOf(4097), code: 1009 },
    {
      what: "too many bytes in few characters",
      data: `${messageOf(4000).slice(0, -2)}${"é".repeat(50)}"}`,
      code: 1009,
    },
  ])("$what", async ({ data, code }) => {
    const sender = await Page.open(upload, upload.owner);
    const other = await Page.open(upload, upload.owner);
    const watcher = await Page.open(upload, new Client());
    sender.sayRaw(data);
    expect((await sender.closed).code).toBe(code);

    other.send(progressMessage(5));
    while ((await watcher.next("upload_progress")).progress !== 5);
    expect(watcher.heard).toHaveLength(2);
    expect(await storedParts(upload)).toEqual([]);
  });

  it("but not for a message of 4,096 bytes", async () => {
    const sender = await Page.open(upload, upload.owner);
    await sender.next("received");
    sender.sayRaw(messageOf(4096));
    expect(await sender.next("received")).toEqual({ type: "received", parts: [2] });
  });

  it("an eleventh message within a second, but not ten in one and ten in the next", async () => {
    const large = await startUpload(400 * 1024 * 1024);
    const sender = await Page.open(large, large.owner);
    await sender.next("received");
    const sendReceipts = async (parts: number[]) => {
      for (const part of parts) sender.sayRaw(receiptOf(part));
      for (let heard = 0; heard < parts.length; heard += 1) await sender.next("received");
    };
    const begin = Date.now();
    stopClockAt(begin);
    await sendReceipts([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    stopClockAt(begin + 1000);
    await sendReceipts([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    stopClockAt(begin + 1999);
    sender.sayRaw(receiptOf(21));
    expect(await sender.closed).toEqual({ code: 1008, reason: "Too many messages a second." });
    expect(await storedParts(large)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe("whoever only has the link", () => {
  it.each([
    { who: "a visitor", open: () => Page.open(upload, new Client()) },
    { who: "somebody else who is signed in", open: async () => Page.open(upload, await signUp()) },
    {
      who: "a visitor who claims to be the sender",
      open: () => Page.open(upload, new Client(), asSender),
    },
  ])("is cut off on saying anything: $who", async ({ open }) => {
    const sender = await Page.open(upload, upload.owner);
    await sender.next("received");
    for (const data of [receiptOf(1), JSON.stringify(progressMessage(99)), "?"]) {
      const watcher = await open();
      watcher.sayRaw(data);
      expect((await watcher.closed).code).toBe(1008);
      expect(watcher.all("received")).toEqual([]);
    }
    sender.sayRaw(receiptOf(3));
    await sender.next("received");
    expect(sender.all("upload_progress").map(({ progress }) => progress)).toEqual([0]);
    expect(await storedParts(upload)).toEqual([3]);
  });

  it("cannot listen to receipts, whatever it claims", async () => {
    const watcher = await Page.open(upload, new Client(), asSender);
    const sender = await Page.open(upload, upload.owner);
    sender.send(progressMessage(5));
    while ((await watcher.next("upload_progress")).progress !== 5);
    expect(new Set(watcher.heard.map(({ type }) => type))).toEqual(new Set(["upload_progress"]));
  });
});

describe("no socket is opened", () => {
  it("for another site's page, signed in or not", async () => {
    for (const client of [upload.owner, new Client()]) {
      for (const origin of ["https://evil.example", "null", `${env.APP_ORIGIN}.evil.example`]) {
        expect((await askForSocket(client, upload.downloadId, { origin })).status).toBe(403);
      }
    }
  });

  it("but is for our own pages", async () => {
    const page = await Page.open(upload, upload.owner, { origin: env.APP_ORIGIN });
    expect(await page.next("upload_progress")).toMatchObject({ progress: 0 });
  });

  it("without an Upgrade header", async () => {
    const response = await upload.owner.fetch(`/ws?id=${upload.downloadId}`);
    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ code: "UPGRADE_REQUIRED" });
  });

  it.each(["", "unknown", "A".repeat(22), "..%2F..%2F", "'%20or%201=1"])(
    "for the id %j, which nobody has",
    async (id) => {
      expect((await askForSocket(upload.owner, id)).status).toBe(404);
    },
  );

  it("for a file that has expired", async () => {
    const finished = await startUpload(IN_ONE_PUT);
    await sendAll(finished);
    await finished.owner.complete(finished.downloadId);
    await env.DB.prepare("update files set expires_at = ? where id = ?").bind(Date.now(), finished.id).run();
    expect((await askForSocket(finished.owner, finished.downloadId)).status).toBe(410);
  });
});

describe("open sockets are limited", () => {
  const api = createApp();
  const limited = { ...env, RATE_LIMITS: "on" };

  /** A browser at an address, as the edge names it. */
  function browser(address: string, cookie = ""): Client {
    return new Client(cookie, (request) => {
      const headers = new Headers(request.headers);
      headers.set("cf-connecting-ip", address);
      return api.fetch(new Request(request, { headers }), limited);
    });
  }

  /** An address nobody has had. */
  const somewhere = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;

  async function openMany(client: () => Client, count: number, of: Upload[]): Promise<Page[]> {
    const pages: Page[] = [];
    for (let index = 0; index < count; index += 1) {
      const page = await Page.open(of[index % of.length] ?? upload, client());
      pages.push(page);
    }
    return pages;
  }

  it.each([
    { who: "an account", most: 25, client: () => browser(somewhere(), upload.owner.cookie) },
    {
      who: "a visitor's address",
      most: 20,
      client: ((address = somewhere()) => {
        return () => browser(address);
      })(),
    },
  ])("for $who, over all uploads: one more is 429, and one that leaves makes room", async ({ most, client }) => {
    const other = await startUpload(IN_ONE_PUT);
    const pages = await openMany(client, most, [upload, other]);
    const refused = await askForSocket(client(), other.downloadId);
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "RATE_LIMITED" }]);
    await Page.open(upload, browser(somewhere()));
    pages[0]?.leave();
    await expect.poll(async () => (await askForSocket(client(), upload.downloadId)).status).toBe(101);
  });

  it("and what an upload that fell silent had said is forgotten after an hour", async () => {
    const address = somewhere();
    await openMany(() => browser(address), 20, [upload]);
    const other = await startUpload(IN_ONE_PUT);
    expect((await askForSocket(browser(address), other.downloadId)).status).toBe(429);
    stopClockAt(Date.now() + HOUR_MS);
    expect((await askForSocket(browser(address), other.downloadId)).status).toBe(101);
  });

  it("for an upload: 2,000, but its sender always gets in", async () => {
    // Kept: a pair that nobody holds is collected, and closed.
    const pairs: InstanceType<typeof WebSocketPair>[] = [];
    await runInDurableObject(upload.stub, (_, state) => {
      for (let index = 0; index < 1999; index += 1) {
        const pair = new WebSocketPair();
        pairs.push(pair);
        pair[1].serializeAttachment({ subject: null });
        state.acceptWebSocket(pair[1], ["watcher"]);
      }
    });
    const last = await Page.open(upload, browser(somewhere()));
    expect((await askForSocket(browser(somewhere()), upload.downloadId)).status).toBe(429);
    expect((await askForSocket(browser(somewhere(), upload.owner.cookie), upload.downloadId)).status).toBe(101);
    expect(await last.next("upload_progress")).toMatchObject({ progress: 0 });
    expect(pairs).toHaveLength(1999);
  });
});
