import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { formatPick } from "#domain/transfers/selection.ts";
import { MIB } from "#domain/units.ts";
import { wrapMethods } from "../support/query-interceptor.ts";
import { concat, finishTransfer, removeFromList, sendObjects, type SentTransfer } from "../support/packed-transfers.ts";
import { withStaleReplica } from "../support/stale-replica.ts";
import { MODIFIED_MS, textFile, type TransferFile } from "../support/transfers.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, contentPath, patternBytes, rowOf, signUp } from "../support/worker.ts";

const file = (path: string, bytes: Uint8Array<ArrayBuffer>): TransferFile => ({ path, bytes, modifiedMs: MODIFIED_MS });

/** Three packs, one large file in three parts, an empty file and an empty folder. */
const FILES = [
  textFile("trip/a.txt"),
  file("trip/b.bin", patternBytes(300_000, 1)),
  textFile("trip/empty.txt", ""),
  textFile("trip/c.txt"),
  file("trip/video.bin", patternBytes(17 * MIB, 2)),
  textFile("trip/folder/", ""),
  textFile("trip/ä 📈.txt"),
  file("trip/d.bin", patternBytes(700_000, 3)),
  textFile("trip/e.txt"),
];
const OBJECTS = [[0, 1], [3], [4], [6, 7, 8]];
const PACKS = [
  { object: 0, offset: 0, length: 18 + 300_000 },
  { object: 1, offset: 0, length: 18 },
  { object: 2, offset: 0, length: 17 * MIB },
  { object: 3, offset: 0, length: 24 + 700_000 + 18 },
];

const visitor = new Client();
let person: Client;
let transfer: SentTransfer;
let path = "";
let whole = new Uint8Array();
let etag = "";

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** Equal bytes, without printing megabytes of them. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function pickPath(numbers: number[]): string {
  return `${path}?pick=${formatPick(numbers)}`;
}

beforeAll(async () => {
  person = await signUp();
  transfer = await sendObjects(person, FILES, OBJECTS, { title: "Our trip" });
  await finishTransfer(person, transfer);
  path = contentPath(transfer.downloadId);
  const response = await visitor.fetch(path);
  etag = response.headers.get("etag") ?? "";
  whole = await bytesOf(response);
});

describe("a transfer's ZIP", () => {
  it("holds every file [TRF-17]", () => {
    const unzipped = unzipSync(whole);
    expect(Object.keys(unzipped)).toEqual(FILES.map((entry) => entry.path));
    for (const { path: name, bytes } of FILES)
      expect([name, isSame(unzipped[name] ?? bytes, bytes)]).toEqual([name, true]);
  });

  it("is an attachment with the size, the ETag and the date of the row", async () => {
    const row = await rowOf<{ etag: string; zip_size: number; zip_changed_at: number }>(
      "select * from files where download_id = ?",
      transfer.downloadId,
    );
    for (const method of ["GET", "HEAD"]) {
      const response = await visitor.fetch(path, { method });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, method === "GET" ? row.zip_size : 0]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "accept-ranges": "bytes",
        "cache-control": "private, no-store, no-transform",
        "content-disposition": `attachment; filename="Our trip.zip"; filename*=UTF-8''Our%20trip.zip`,
        "content-length": String(row.zip_size),
        "content-security-policy": "default-src 'none'; sandbox",
        "content-type": "application/zip",
        etag: `"${row.etag}"`,
        "last-modified": new Date(row.zip_changed_at).toUTCString(),
        "x-robots-tag": "noindex",
      });
    }
  });

  it("answers any range with the same bytes as the whole [TRF-17]", async () => {
    const near = [0, 1, 29, 30, 40, 56, 57, 300_000, 300_200, 17 * MIB, whole.length - 700_000, whole.length - 1];
    const numbers = patternBytes(4 * 40, 9);
    const random = Array.from(
      { length: 40 },
      (_, index) => new DataView(numbers.buffer).getUint32(index * 4) % whole.length,
    );
    for (const [index, start] of [...near, ...random].entries()) {
      const length = index % 3 === 0 ? 1 : index % 3 === 1 ? 1000 : 2 * MIB;
      const end = Math.min(start + length, whole.length);
      const response = await visitor.fetch(path, { headers: { range: `bytes=${start}-${end - 1}` } });
      const answered = [response.status, response.headers.get("content-range"), response.headers.get("content-length")];
      expect(answered).toEqual([206, `bytes ${start}-${end - 1}/${whole.length}`, String(end - start)]);
      expect([start, isSame(await bytesOf(response), whole.subarray(start, end))]).toEqual([start, true]);
    }
  });

  it("goes on where a reader broke off, and ends with the same bytes [TRF-17]", async () => {
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const stop of [100, 200_000, 5 * MIB, 17 * MIB + 400_000, whole.length]) {
      const response = await visitor.fetch(path, { headers: { range: `bytes=${at}-`, "if-range": etag } });
      expect(response.status).toBe(206);
      const body: ReadableStream<Uint8Array> | null = response.body;
      const reader = body?.getReader();
      while (at < stop) {
        const { value } = (await reader?.read()) ?? {};
        if (!value) break;
        parts.push(value);
        at += value.length;
      }
      await reader?.cancel();
    }
    expect(isSame(concat(parts), whole)).toBe(true);
  });

  it("answers conditions and ranges as for a single file", async () => {
    const cases: [Record<string, string>, number][] = [
      [{ "if-none-match": etag }, 304],
      [{ "if-match": '"another"' }, 412],
      [{ range: `bytes=${whole.length}-` }, 416],
      [{ range: "bytes=0-0", "if-range": '"another"' }, 200],
      [{ range: "bytes=-22" }, 206],
    ];
    for (const [headers, status] of cases) {
      const response = await visitor.fetch(path, { headers });
      expect([headers, response.status]).toEqual([headers, status]);
      await response.arrayBuffer();
    }
  });

  it("is 410 at an address of another version [TRF-18]", async () => {
    const version = etag.slice(1, 9);
    for (const [v, status] of [
      [version, 200],
      ["12345678", 410],
      ["", 410],
      [`${version}0`, 410],
    ] as const) {
      const response = await visitor.fetch(`${path}?v=${v}`, { method: "HEAD" });
      expect([v, response.status]).toEqual([v, status]);
    }
    expect(await answerOf(visitor.fetch(`${path}?v=12345678`))).toEqual([
      410,
      { code: "FILE_EXPIRED", message: "This archive has changed since. Open the link again." },
    ]);
  });
});

describe("a selection of a transfer", () => {
  it("is a ZIP of its own [TRF-17]", async () => {
    const response = await visitor.fetch(pickPath([0, 3, 7]));
    const bytes = await bytesOf(response);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    expect(response.headers.get("content-disposition")).toContain('filename="Our trip (3 files).zip"');
    expect(response.headers.get("etag")).not.toBe(etag);
    const unzipped = unzipSync(bytes);
    expect(Object.keys(unzipped)).toEqual(["trip/a.txt", "trip/c.txt", "trip/d.bin"]);
    expect(isSame(unzipped["trip/d.bin"] ?? bytes, patternBytes(700_000, 3))).toBe(true);
    const part = await visitor.fetch(pickPath([0, 3, 7]), { headers: { range: "bytes=50-400000" } });
    expect(part.status).toBe(206);
    expect(isSame(await bytesOf(part), bytes.subarray(50, 400_001))).toBe(true);
    const one = await visitor.fetch(pickPath([5]), { method: "HEAD" });
    expect(one.headers.get("content-disposition")).toContain('filename="Our trip (1 file).zip"');
  });

  it.each([
    ["nothing", ""],
    ["no base64url", "*"],
    ["no entry", "AA"],
    ["an entry that does not exist", formatPick([0, 9])],
    ["bytes beyond the last entry", "AQAA"],
  ])("is refused: %s", async (_what, pick) => {
    expect(await answerOf(visitor.fetch(`${path}?pick=${pick}`))).toEqual([
      400,
      { code: "BAD_REQUEST", message: "This is not a selection of this transfer." },
    ]);
  });

  it("needs the present version too", async () => {
    expect((await visitor.fetch(`${pickPath([0])}&v=${etag.slice(1, 9)}`)).status).toBe(200);
    expect((await visitor.fetch(`${pickPath([0])}&v=12345678`)).status).toBe(410);
  });
});

describe("a removed entry", () => {
  it("is missing from the ZIP, also where a replica still has it, and its selection is 410 [TRF-18]", async () => {
    const files = [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")];
    const sent = await sendObjects(person, files, [[0, 1, 2]]);
    await finishTransfer(person, sent);
    const stale = new Client("", workerWith({ ...env, DB: withStaleReplica() }));
    const zipPath = contentPath(sent.downloadId);
    const namesOf = async (client: Client) => Object.keys(unzipSync(await bytesOf(await client.fetch(zipPath))));
    expect(await namesOf(stale)).toEqual(["a.txt", "b.txt", "c.txt"]);
    await removeFromList(sent, 1);
    expect(await namesOf(stale)).toEqual(["a.txt", "c.txt"]);
    expect(await answerOf(visitor.fetch(`${zipPath}?pick=${formatPick([0, 1])}`))).toEqual([
      410,
      { code: "FILE_EXPIRED", message: "This file was removed from the transfer." },
    ]);
    expect((await visitor.fetch(`${zipPath}?pick=${formatPick([0, 2])}`)).status).toBe(200);
  });
});

describe("while a transfer uploads", () => {
  it("a selection of what is stored can be taken, and nothing else", async () => {
    const sent = await sendObjects(person, FILES.slice(0, 4), [[0, 1]], { title: "Half" });
    const zipPath = contentPath(sent.downloadId);
    const unfinished = [409, { code: "UPLOAD_UNFINISHED", message: "Some of these files are still on their way." }];
    const pick = `${zipPath}?pick=${formatPick([0, 1, 2])}`;
    await expect.poll(async () => (await visitor.fetch(pick, { method: "HEAD" })).status).toBe(200);
    expect(Object.keys(unzipSync(await bytesOf(await visitor.fetch(pick))))).toEqual([
      "trip/a.txt",
      "trip/b.bin",
      "trip/empty.txt",
    ]);
    expect(await answerOf(visitor.fetch(zipPath))).toEqual(unfinished);
    expect(await answerOf(visitor.fetch(`${zipPath}?pick=${formatPick([0, 3])}`))).toEqual(unfinished);
    expect((await visitor.fetch(`${zipPath}?pick=${formatPick([0, 4])}`)).status).toBe(400);
    await person.post(`/api/transfers/${sent.downloadId}/batch`, { remove: [1] });
    expect((await visitor.fetch(pick)).status).toBe(410);
  });
});

describe("storage", () => {
  /** Reads and bodies that are open, as the Worker asks for them. */
  function watched(fails: (key: string) => boolean = () => false) {
    const reads: { object: number; offset: number; length: number }[] = [];
    let open = 0;
    let mostOpen = 0;
    const bucket = wrapMethods(env.BUCKET, (name, call) => {
      if (name !== "get") return call;
      return async (key, options) => {
        const { range } = options as { range: { offset: number; length: number } };
        const object = Number(String(key).slice(-5));
        reads.push({ object, offset: range.offset, length: range.length });
        if (fails(String(key))) throw new Error("storage is broken");
        const found = (await call(key, options)) as R2ObjectBody;
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        const reader = (found.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
        const end = () => {
          open -= 1;
        };
        const body = new ReadableStream({
          type: "bytes",
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) {
              end();
              controller.close();
              controller.byobRequest?.respond(0);
            } else controller.enqueue(value);
          },
          cancel: end,
        });
        return { body };
      };
    });
    const client = new Client("", workerWith({ ...env, BUCKET: bucket }));
    return { client, reads, mostOpen: () => mostOpen };
  }

  it("is read once for neighbours in an object, with at most two reads at a time", { tags: "long" }, async () => {
    const { client, reads, mostOpen } = watched();
    expect(isSame(await bytesOf(await client.fetch(path)), whole)).toBe(true);
    expect(reads).toEqual(PACKS);
    expect(mostOpen()).toBe(2);
  });

  it("is not read for HEAD, and not for a range of the directory", async () => {
    const { client, reads } = watched();
    await client.fetch(path, { method: "HEAD" });
    await bytesOf(await client.fetch(path, { headers: { range: "bytes=-22" } }));
    expect(reads).toEqual([]);
  });

  it("breaks the response off when it fails in the middle, and a range goes on [TRF-17]", async () => {
    const { client } = watched((key) => key.endsWith("00003"));
    const response = await client.fetch(path);
    expect(response.status).toBe(200);
    const body: ReadableStream<Uint8Array> | null = response.body;
    const received: Uint8Array[] = [];
    const read = async () => {
      for await (const chunk of body ?? []) received.push(chunk);
    };
    await expect(read()).rejects.toThrow();
    const start = concat(received);
    expect(start.length).toBeGreaterThan(17 * MIB);
    const rest = await visitor.fetch(path, { headers: { range: `bytes=${start.length}-`, "if-range": etag } });
    expect(isSame(concat([start, await bytesOf(rest)]), whole)).toBe(true);
  });

  it("that has lost the first object answers 410", async () => {
    const sent = await sendObjects(person, [textFile("a.txt")], [[0]]);
    await finishTransfer(person, sent);
    await env.BUCKET.delete(`files/${sent.uploadId}/00000`);
    expect((await visitor.fetch(contentPath(sent.downloadId))).status).toBe(410);
  });
});
