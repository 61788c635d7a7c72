import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { limitedEnv } from "../support/limited-env.ts";
import { finishTransfer, removeFromList, sendObjects, type SentTransfer } from "../support/packed-transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { batch, MODIFIED_MS, textFile, type TransferFile } from "../support/transfers.ts";
import { answerOf, Client, contentPath, patternBytes, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const NOTES = "0123456789";
const FILES: TransferFile[] = [
  textFile("trip/notes.txt", NOTES),
  { path: "trip/photo.png", bytes: patternBytes(600_000), modifiedMs: MODIFIED_MS },
  textFile("trip/empty.txt", ""),
  textFile("trip/folder/", ""),
  textFile("trip/page.html", "<script>alert(1)</script>"),
];
const OBJECTS = [[1], [0, 4]];

const visitor = new Client();
let person: Client;

async function ready(more: Record<string, unknown> = {}): Promise<SentTransfer> {
  const sent = await sendObjects(person, FILES, OBJECTS, { title: "Our trip", ...more });
  await finishTransfer(person, sent);
  return sent;
}

function infoPath({ downloadId }: SentTransfer): string {
  return `/api/files/download/${downloadId}`;
}

function entriesPath(sent: SentTransfer, from?: number): string {
  return `${infoPath(sent)}/entries${from === undefined ? "" : `?from=${from}`}`;
}

function entryPath(sent: SentTransfer, n: number | string, what = "content"): string {
  return `${infoPath(sent)}/entries/${n}/${what}`;
}

interface Listed {
  entries: Record<string, unknown>[];
  total: number;
}

async function listOf(client: Client, path: string): Promise<Listed> {
  const response = await client.fetch(path);
  expect(response.status).toBe(200);
  return response.json();
}

const numbersOf = ({ entries }: Listed) => entries.map(({ n }) => n);

beforeAll(async () => {
  person = await signUp();
});

describe("a transfer's information", () => {
  it("has its title, message, number of files and the ZIP's size and address", async () => {
    const sent = await ready({ message: "Enjoy" });
    const row = await rowOf<{ etag: string; zip_size: number }>("select * from files where id = ?", sent.uploadId);
    expect(await answerOf(visitor.fetch(infoPath(sent)))).toEqual([
      200,
      {
        filename: "Our trip.zip",
        mimeType: "application/zip",
        size: row.zip_size,
        status: "ready",
        downloadUrl: `${env.APP_ORIGIN}${contentPath(sent.downloadId)}?v=${row.etag.slice(0, 8)}`,
        expiresAt: expect.stringMatching(/Z$/) as string,
        transfer: { title: "Our trip", entries: 5, bytes: 600_035, message: "Enjoy" },
        risk: ["page"],
      },
    ]);
  });

  it("says what has arrived while it uploads", async () => {
    const sent = await sendObjects(person, FILES, [[1]]);
    const stored = async () => (await answerOf(visitor.fetch(infoPath(sent))))[1].transfer;
    const transfer = { title: "trip", entries: 5, bytes: 600_035, message: null };
    await expect.poll(stored).toEqual({ ...transfer, stored: [[1, 3]] });
    expect((await answerOf(visitor.fetch(infoPath(sent))))[1]).toMatchObject({
      filename: "trip.zip",
      size: 600_035,
      status: "uploading",
      progress: 99,
      downloadUrl: null,
    });
  });
});

describe("a transfer's list", () => {
  it("has every file with its size, date, type and hash [TRF-19]", async () => {
    const { entries, total } = await listOf(visitor, entriesPath(await ready()));
    expect(total).toBe(5);
    expect(entries.map(({ n, path, size, type, state }) => [n, path, size, type, state])).toEqual([
      [0, "trip/notes.txt", 10, "text/plain", "stored"],
      [1, "trip/photo.png", 600_000, "image/png", "stored"],
      [2, "trip/empty.txt", 0, "text/plain", "stored"],
      [3, "trip/folder/", 0, "application/octet-stream", "stored"],
      [4, "trip/page.html", 25, "text/html", "stored"],
    ]);
    expect(entries[0]).toEqual({
      n: 0,
      path: "trip/notes.txt",
      size: 10,
      modifiedAt: "2026-01-31T12:00:00.000Z",
      type: "text/plain",
      state: "stored",
      sha256: "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882",
    });
  });

  it("has 500 files a page, also where some were removed", async () => {
    const files = Array.from({ length: 620 }, (_, n) => textFile(`${n}.txt`, ""));
    const sent = await sendObjects(person, files.slice(0, 500), [], { totals: { entries: 620, bytes: 0 } });
    const list = files.slice(500).map(({ path }) => [path, 0, MODIFIED_MS]);
    await batch(person, sent.downloadId, { entries: { from: 500, list }, remove: [3, 7] });
    for (const state of ["uploading", "ready"]) {
      if (state === "ready") await finishTransfer(person, sent);
      const first = await listOf(visitor, entriesPath(sent));
      expect([state, first.total, first.entries.length, first.entries.at(-1)?.n]).toEqual([state, 618, 500, 501]);
      expect(numbersOf(first).slice(0, 8)).toEqual([0, 1, 2, 4, 5, 6, 8, 9]);
      const rest = await listOf(visitor, entriesPath(sent, 502));
      expect([rest.entries.length, rest.entries[0]?.n, rest.entries.at(-1)?.path]).toEqual([118, 502, "619.txt"]);
      expect(await listOf(visitor, entriesPath(sent, 620))).toEqual({ entries: [], total: 618 });
      expect(await listOf(visitor, entriesPath(sent, 99_999))).toEqual({ entries: [], total: 618 });
    }
  });

  it("shows removed files and single downloads to its owner alone", async () => {
    const sent = await ready();
    await removeFromList(sent, 1);
    await runSql("insert into entry_downloads values (?, 4, 7)", sent.uploadId);
    const own = await listOf(person, entriesPath(sent));
    expect(own.total).toBe(5);
    expect(own.entries.map(({ n, state, downloads }) => [n, state, downloads])).toEqual([
      [0, "stored", 0],
      [1, "removed", 0],
      [2, "stored", 0],
      [3, "stored", 0],
      [4, "stored", 7],
    ]);
    for (const client of [visitor, await signUp()]) {
      const others = await listOf(client, entriesPath(sent));
      expect([others.total, numbersOf(others)]).toEqual([4, [0, 2, 3, 4]]);
      expect(others.entries[0]).not.toHaveProperty("downloads");
    }
  });

  it("says of each file whether it is stored, arriving or waiting while it uploads", async () => {
    const sent = await sendObjects(person, FILES, [[1]]);
    await batch(person, sent.downloadId, { open: [{ object: 1, runs: [[0, 1]] }] });
    const states = async () => (await listOf(visitor, entriesPath(sent))).entries.map(({ state }) => state);
    await expect.poll(states).toEqual(["arriving", "stored", "stored", "stored", "waiting"]);
  });

  it("is 400 for a number that is none, and for a single file", async () => {
    const sent = await ready();
    expect((await visitor.fetch(`${infoPath(sent)}/entries?from=x`)).status).toBe(400);
    const single = await sendFile(person, "abc");
    for (const path of [entriesPath(single), entryPath(single, 0), entryPath(single, 0, "preview")]) {
      expect(await answerOf(visitor.fetch(path))).toEqual([
        400,
        { code: "BAD_REQUEST", message: "This link is a single file. It has no list of files." },
      ]);
    }
  });
});

describe("one file of a transfer", () => {
  it("is served as a single file is, with ranges and conditions [TRF-19]", async () => {
    const sent = await ready();
    const response = await visitor.fetch(entryPath(sent, 0));
    const etag = `"${sent.downloadId}-0"`;
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-disposition": `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
      "content-length": "10",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "text/plain",
      etag,
    });
    expect([response.status, await response.text()]).toEqual([200, NOTES]);
    const cases: [number, Record<string, string>, number, string][] = [
      [0, { range: "bytes=2-5" }, 206, "2345"],
      [0, { range: "bytes=-3", "if-range": etag }, 206, "789"],
      [0, { range: "bytes=0-1", "if-range": '"another"' }, 200, NOTES],
      [0, { "if-none-match": etag }, 304, ""],
      [4, {}, 200, "<script>alert(1)</script>"],
      [4, { range: "bytes=1-6" }, 206, "script"],
      [2, {}, 200, ""],
    ];
    for (const [n, headers, status, body] of cases) {
      const answer = await visitor.fetch(entryPath(sent, n), { headers });
      expect([n, headers, answer.status, await answer.text()]).toEqual([n, headers, status, body]);
    }
    expect((await visitor.fetch(entryPath(sent, 0), { headers: { range: "bytes=10-" } })).status).toBe(416);
    const head = await visitor.fetch(entryPath(sent, 1), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "600000", ""]);
    const photo = await visitor.fetch(entryPath(sent, 1), { headers: { range: "bytes=1000-1999" } });
    expect(new Uint8Array(await photo.arrayBuffer())).toEqual(patternBytes(600_000).slice(1000, 2000));
  });

  it("has the previews of a single file", async () => {
    const sent = await ready();
    const previews: [number, number, string | null][] = [
      [0, 200, "text/plain; charset=utf-8"],
      [1, 200, "image/png"],
      [4, 415, "application/json"],
    ];
    for (const [n, status, type] of previews) {
      const response = await visitor.fetch(entryPath(sent, n, "preview"));
      expect([n, response.status, response.headers.get("content-type")]).toEqual([n, status, type]);
      await response.arrayBuffer();
    }
    expect((await visitor.fetch(`${infoPath(sent)}/preview`)).status).toBe(415);
  });

  it("is 400 where there is none, and 410 once it was removed", async () => {
    const sent = await ready();
    for (const n of [3, 5, 12_345]) {
      expect(await answerOf(visitor.fetch(entryPath(sent, n)))).toEqual([
        400,
        { code: "BAD_REQUEST", message: `There is no file ${n}.` },
      ]);
    }
    for (const n of ["x", "-1", "1.5", "20000"]) expect((await visitor.fetch(entryPath(sent, n))).status).toBe(400);
    await removeFromList(sent, 1);
    for (const what of ["content", "preview"]) {
      expect(await answerOf(visitor.fetch(entryPath(sent, 1, what)))).toEqual([
        410,
        { code: "FILE_EXPIRED", message: "This file was removed from the transfer." },
      ]);
    }
    expect((await visitor.fetch(entryPath(sent, 0))).status).toBe(200);
  });

  it("can be taken while others arrive, with the ETag that it keeps [TRF-19]", async () => {
    const sent = await sendObjects(person, FILES, [[1], [0]]);
    const path = entryPath(sent, 0);
    await expect.poll(async () => (await visitor.fetch(path, { method: "HEAD" })).status).toBe(200);
    const answer = await visitor.fetch(path);
    expect([await answer.text(), answer.headers.get("etag")]).toEqual([NOTES, `"${sent.downloadId}-0"`]);
    expect((await visitor.fetch(entryPath(sent, 0, "preview"))).status).toBe(200);
    for (const what of ["content", "preview"]) {
      const [status, refused] = await answerOf(visitor.fetch(entryPath(sent, 4, what)));
      expect([status, refused.code]).toEqual([409, "UPLOAD_UNFINISHED"]);
    }
    await batch(person, sent.downloadId, { remove: [0] });
    expect((await visitor.fetch(path)).status).toBe(410);
  });
});

describe("calls from one address", () => {
  it.each([
    ["list a transfer's files 120 times a minute", "listEntries", (sent: SentTransfer) => entriesPath(sent)],
    ["take a transfer's ZIP 300 times a minute", "archive", (sent: SentTransfer) => contentPath(sent.downloadId)],
  ] as const)("may %s", { tags: "long" }, async (_what, call, pathOf) => {
    const path = pathOf(await ready());
    const limited = clientFrom("203.0.113.77", limitedEnv());
    const head = async () => (await limited.fetch(path, { method: "HEAD" })).status;
    const statuses = await Promise.all(Array.from({ length: CALL_LIMITS[call][0].maxCalls }, head));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await head()).toBe(429);
  });
});
