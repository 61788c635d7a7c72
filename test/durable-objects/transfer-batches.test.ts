import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MIB } from "#domain/units.ts";
import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { namespaceWithEnv } from "../support/durable-objects-with-env.ts";
import { STORE_ERROR, strike } from "../support/faults.ts";
import { announcementOf, batch, crc32Hex, finish, sendBatch, textFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, putOnPlan, stopClockAt } from "../support/worker.ts";
import {
  bytesOf,
  evict,
  ownerWithFaults,
  rowOfTransfer,
  start,
  startPack,
  tablesOf,
  waitForPhases,
  type Batch,
  type Transfer,
} from "./transfer-support.ts";

const FILES = [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")];
const BYTES = bytesOf(FILES);
const TOTALS = { entries: 10, bytes: 1000 };

/** Of a transfer that may hold more than it announced at its start. */
function startFiles(more: Record<string, unknown> = {}): Promise<Transfer> {
  return start(FILES, { totals: TOTALS, ...more });
}

function answer({ owner, downloadId }: Transfer, body: Batch) {
  return answerOf(sendBatch(owner, downloadId, body));
}

/** URLs are signed for the second. */
function withoutDates<Answer extends { urls: { url: string }[] }>(answered: Answer): Answer {
  const urls = answered.urls.map(({ url, ...more }) => ({
    ...more,
    url: url.replace(/X-Amz-(Date|Signature)=\w+/g, ""),
  }));
  return { ...answered, urls };
}

describe("a batch that comes twice", () => {
  it.each<{ what: string; body: Batch }>([
    { what: "nothing", body: {} },
    {
      what: "new files",
      body: {
        entries: {
          from: 3,
          list: [
            ["d.txt", 5, 0],
            ["e/", 0, 0],
          ],
        },
      },
    },
    {
      what: "known and new files",
      body: { entries: { from: 2, list: [announcementOf(textFile("c.txt")), ["d.txt", 5, 0]] } },
    },
    { what: "a new object", body: { open: [{ object: 1, runs: [[2, 1]] }] } },
    { what: "a part to sign", body: { sign: [{ object: 0, parts: [1] }] } },
    { what: "a dropped object and another with its files", body: { drop: [0], open: [{ object: 1, runs: [[0, 2]] }] } },
    { what: "a removed file", body: { remove: [2] } },
    { what: "a file that changed", body: { remove: [2], entries: { from: 3, list: [["c.txt", 9, 9]] } } },
    {
      what: "a file that is announced and removed",
      body: { remove: [3], entries: { from: 3, list: [["d.txt", 9, 9]] } },
    },
    { what: "a hash", body: { sums: [{ n: 2, sha256: "ab".repeat(32) }] } },
    { what: "larger totals", body: { totals: { entries: 20, bytes: 2000 } } },
  ])("has the same answer and the same rows: $what [TRF-12]", async ({ body }) => {
    const transfer = await startFiles({ open: [{ object: 0, runs: [[0, 2]] }] });
    const { owner, downloadId } = transfer;
    const first = await batch(owner, downloadId, body);
    const tables = await tablesOf(transfer);
    const row = await rowOfTransfer(transfer);
    await evict(transfer);
    expect(withoutDates(await batch(owner, downloadId, body))).toEqual(withoutDates(first));
    expect(await tablesOf(transfer)).toEqual(tables);
    expect(await rowOfTransfer(transfer)).toEqual(row);
  });

  it("has the same outcome with receipts", async () => {
    const transfer = await startPack(FILES);
    const { owner, downloadId } = transfer;
    const receipts = await transfer.sendPack(BYTES);
    await batch(owner, downloadId, { receipts });
    await waitForPhases(transfer, { 0: "stored" });
    const tables = await tablesOf(transfer);
    expect(await batch(owner, downloadId, { receipts })).toMatchObject({ stored: [[0, 3]], received: [], again: [] });
    expect(await tablesOf(transfer)).toEqual(tables);
  });
});

describe("batches in another order", () => {
  it("are rejected with a gap before their files", async () => {
    const transfer = await startFiles();
    expect(await answer(transfer, { entries: { from: 4, list: [["e.txt", 1, 0]] } })).toEqual([
      400,
      { code: "BAD_REQUEST", message: "There is no file 3." },
    ]);
  });

  it.each([
    { what: "name", entry: ["other.txt", 13, FILES[1]?.modifiedMs] },
    { what: "size", entry: ["b.txt", 14, FILES[1]?.modifiedMs] },
    { what: "date", entry: ["b.txt", 13, 0] },
  ])("are rejected when a known file has another $what, and nothing of them is kept", async ({ entry }) => {
    const transfer = await startFiles();
    const before = await tablesOf(transfer);
    const list = [announcementOf(textFile("a.txt")), entry, ["new.txt", 1, 0]];
    expect(await answer(transfer, { entries: { from: 0, list: list as never } })).toEqual([
      409,
      {
        code: "ENTRY_CONFLICT",
        index: 1,
        message: "File 1 was announced before with another name, size or date.",
      },
    ]);
    expect(await tablesOf(transfer)).toEqual(before);
  });

  it("are rejected when receipts name an object or a part that does not exist", async () => {
    const transfer = await startPack(FILES);
    const [receipt] = await transfer.sendPack(BYTES);
    for (const [wrong, message] of [
      [{ ...receipt, object: 1 }, "There is no part 1 of object 1."],
      [{ ...receipt, part: 2 }, "There is no part 2 of object 0."],
    ] as const) {
      const expected = [400, { code: "BAD_REQUEST", message }];
      expect(await answer(transfer, { receipts: [wrong as never] })).toEqual(expected);
      expect(await answerOf(finish(transfer.owner, transfer.downloadId, [wrong as never]))).toEqual(expected);
    }
  });

  it("are rejected when receipts come for an object that storage has not opened yet", async () => {
    const transfer = await startFiles();
    const { fate } = strike(100, STORE_ERROR, (call) => call === "createMultipartUpload");
    const open = [{ object: 0, runs: [[0, 3]] }];
    expect(await answerOf(sendBatch(ownerWithFaults(transfer, fate), transfer.downloadId, { open }))).toMatchObject([
      503,
      { code: "STORAGE_UNAVAILABLE" },
    ]);
    await evict(transfer);
    const receipts = [{ object: 0, part: 1, etag: "e", crc32: crc32Hex(BYTES) }];
    expect(await answer(transfer, { receipts })).toEqual([
      400,
      { code: "BAD_REQUEST", message: "There is no part 1 of object 0." },
    ]);
    expect((await batch(transfer.owner, transfer.downloadId, { open })).urls).toHaveLength(1);
  });
});

describe("an object", () => {
  it("gets fresh URLs of the same upload when it is opened again", async () => {
    const transfer = await startPack(FILES);
    await evict(transfer);
    const open = [{ object: 0, runs: [[0, 3]] }];
    const again = await batch(transfer.owner, transfer.downloadId, { open });
    expect(again.opened).toEqual([{ object: 0, partSizeBytes: 39, partCount: 1 }]);
    expect(again.urls.map(({ object, part }) => [object, part])).toEqual([[0, 1]]);
    const receipts = await transfer.sendPack(BYTES);
    expect((await finish(transfer.owner, transfer.downloadId, receipts)).status).toBe(200);
  });

  it("is rejected under its number with other files, and with files of another object that was not dropped", async () => {
    const transfer = await startFiles({ open: [{ object: 0, runs: [[0, 2]] }] });
    const conflict = [
      409,
      { code: "OBJECT_CONFLICT", message: "This part of the transfer was opened before with other files." },
    ];
    expect(await answer(transfer, { open: [{ object: 0, runs: [[0, 3]] }] })).toEqual(conflict);
    expect(await answer(transfer, { open: [{ object: 1, runs: [[1, 2]] }] })).toEqual(conflict);
    expect(
      await answer(transfer, {
        open: [
          {
            object: 1,
            runs: [
              [2, 1],
              [2, 1],
            ],
          },
        ],
      }),
    ).toEqual(conflict);
    expect(await answer(transfer, { drop: [0], open: [{ object: 1, runs: [[1, 2]] }] })).toMatchObject([
      200,
      { opened: [{ object: 1, partSizeBytes: 26 }] },
    ]);
    // A dropped number is used up.
    expect(await answer(transfer, { open: [{ object: 0, runs: [[0, 1]] }] })).toEqual(conflict);
  });

  it("is rejected with a file that does not exist or is empty", async () => {
    const transfer = await start([...FILES, textFile("empty", "")]);
    for (const [n, message] of [
      [4, "There is no file 4."],
      [3, "File 3 is empty, so no object holds it."],
    ] as const) {
      expect(await answer(transfer, { open: [{ object: 0, runs: [[n, 1]] }] })).toEqual([
        400,
        { code: "BAD_REQUEST", message },
      ]);
    }
  });

  const tooLarge = [400, { code: "BAD_REQUEST", message: "A pack holds at most 500 files and 16 MB." }];

  it("holds 500 files and not 501", async () => {
    const names = Array.from({ length: 501 }, (_, n): [string, number, number] => [`${n}`, 1, 0]);
    const transfer = await start([], {
      totals: { entries: 501, bytes: 501 },
      entries: { from: 0, list: names.slice(0, 500) },
    });
    await batch(transfer.owner, transfer.downloadId, { entries: { from: 500, list: names.slice(500) } });
    const runs: [number, number][] = [
      [0, 500],
      [500, 1],
    ];
    expect(await answer(transfer, { open: [{ object: 0, runs }] })).toEqual(tooLarge);
    expect((await answer(transfer, { open: [{ object: 0, runs: [[0, 500]] }] }))[0]).toBe(200);
  });

  it("holds 16 MiB of several files and not a byte more", async () => {
    const list: [string, number, number][] = [
      ["a", 8 * MIB, 0],
      ["b", 8 * MIB, 0],
      ["c", 1, 0],
    ];
    const transfer = await start([], { totals: { entries: 3, bytes: 16 * MIB + 1 }, entries: { from: 0, list } });
    expect(await answer(transfer, { open: [{ object: 0, runs: [[0, 3]] }] })).toEqual(tooLarge);
    expect((await answer(transfer, { open: [{ object: 0, runs: [[0, 2]] }] }))[0]).toBe(200);
  });
});

describe("the paths of a transfer", () => {
  it("have at most 2 MiB together, with those of removed files [TRF-35]", async () => {
    const folders = `${`${"f".repeat(255)}/`.repeat(3)}g/`;
    // 1,024 bytes each.
    const entries = (first: number, count: number) => ({
      entries: {
        from: first,
        list: Array.from({ length: count }, (_, n): [string, number, number] => [
          `${folders}${String(first + n).padStart(254, "0")}`,
          0,
          0,
        ]),
      },
    });
    const transfer = await start([], { totals: { entries: 1, bytes: 0 }, entries: undefined });
    await putOnPlan(transfer.owner.email, "professional");
    for (let first = 0; first < 2048; first += 128) {
      expect((await answer(transfer, { ...entries(first, 128), totals: { entries: 2049, bytes: 0 } }))[0]).toBe(200);
    }
    const refused = [
      400,
      {
        code: "BAD_REQUEST",
        message:
          "The names of all files of a transfer, with their folders, have at most 2 MB together. Shorten the names of folders, or send fewer files.",
      },
    ];
    expect(await answer(transfer, entries(2048, 1))).toEqual(refused);
    expect(await answer(transfer, { ...entries(2048, 1), remove: [7] })).toEqual(refused);
    await batch(transfer.owner, transfer.downloadId, { remove: [7] });
    await evict(transfer);
    expect(await answer(transfer, entries(2048, 1))).toEqual(refused);
  });
});

describe("the rate of a transfer's batches", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is at most 20 a second [TRF-16]", async () => {
    const { owner, downloadId } = await startFiles();
    const limited = { ...env, RATE_LIMITS: "on" };
    const TRANSFERS = namespaceWithEnv(env.TRANSFERS, TransferSession, limited);
    const client = clientFrom("192.0.2.1", { ...env, TRANSFERS }, owner.cookie);
    const now = Date.now();
    stopClockAt(now);
    for (let count = 1; count <= 20; count += 1) expect((await sendBatch(client, downloadId, {})).status).toBe(200);
    const rejected = await sendBatch(client, downloadId, {});
    expect(rejected.headers.get("retry-after")).toBe("1");
    expect(await answerOf(rejected)).toEqual([
      429,
      {
        code: "RATE_LIMITED",
        message: "Too many attempts. Please wait 1 second and try again.",
        retryAfterSeconds: 1,
      },
    ]);
    stopClockAt(now + 1000);
    expect((await sendBatch(client, downloadId, {})).status).toBe(200);
  });
});
