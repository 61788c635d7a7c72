import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { listOf } from "../support/transfer-lists.ts";
import {
  announcementOf,
  batch,
  crc32Hex,
  finish,
  join,
  putObject,
  sendBatch,
  sendTransfer,
  startRequest,
  startTransfer,
  textFile,
  totalsOf,
} from "../support/transfers.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, patternBytes, rowOf, signUp } from "../support/worker.ts";

const FILES = [
  textFile("trip/a.txt"),
  textFile("trip/sub/b.txt"),
  textFile("trip/empty.txt", ""),
  textFile("trip/c/", ""),
];

interface Row {
  filename: string;
  status: string;
  size: number;
  entry_count: number;
  object_count: number;
  zip_size: number;
}

function rowOfLink(downloadId: string): Promise<Row> {
  return rowOf<Row>("select * from files where download_id = ?", downloadId);
}

async function monthOf(id: string): Promise<{ bytes: number; transfers: number }> {
  return rowOf("select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?", id);
}

describe("a transfer", () => {
  it("is announced, sent as a pack and finished [TRF-1]", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 2]] }] });
    expect(started).toMatchObject({
      resumed: false,
      entries: 4,
      opened: [{ object: 0, partSizeBytes: 40, partCount: 1 }],
      // The empty file and the empty folder have no bytes to wait for.
      stored: [[2, 2]],
      received: [{ object: 0, runs: [[0, 2]], parts: [] }],
      again: [],
    });
    expect(started.urls.map(({ object, part }) => [object, part])).toEqual([[0, 1]]);

    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    const [status, finished] = await answerOf(finish(person, started.downloadId, receipts));
    expect([status, finished]).toMatchObject([
      200,
      {
        id: started.uploadId,
        downloadId: started.downloadId,
        shareUrl: started.shareUrl,
        filename: "trip.zip",
        size: 40,
        entries: 4,
      },
    ]);
    const row = await rowOfLink(started.downloadId);
    expect(row).toMatchObject({ filename: "trip", status: "ready", size: 40, entry_count: 4, object_count: 1 });
    expect(finished.zipSize).toBe(row.zip_size);
    expect(await monthOf(person.id)).toEqual({ bytes: 40, transfers: 1 });
    const stored = await env.BUCKET.get(`files/${started.uploadId}/00000`);
    expect(await stored?.text()).toBe("text of trip/a.txttext of trip/sub/b.txt");

    const again = await answerOf(finish(person, started.downloadId));
    expect(again).toEqual([200, finished]);
  });

  it("holds a large file as an object in parts [TRF-1]", async () => {
    const person = await signUp();
    const large = { ...textFile("video.bin"), bytes: patternBytes(17 * MIB) };
    const started = await startTransfer(person, [large], { open: [{ object: 0, runs: [[0, 1]] }] });
    expect(started.opened).toEqual([{ object: 0, partSizeBytes: 8 * MIB, partCount: 3 }]);
    const receipts = await putObject(started, 0, large.bytes);
    const part = await batch(person, started.downloadId, { receipts: receipts.slice(0, 2) });
    expect(part.received).toEqual([{ object: 0, runs: [[0, 1]], parts: [[1, 2]] }]);
    const [status, finished] = await answerOf(finish(person, started.downloadId, receipts.slice(2)));
    expect([status, finished.filename, finished.size]).toEqual([200, "video.bin.zip", 17 * MIB]);
    expect(await listOf(started.uploadId)).toMatchObject([
      {
        path: "video.bin",
        sizeBytes: 17 * MIB,
        modifiedMs: 1769860800000,
        object: 0,
        offset: 0,
        crc32: Number.parseInt(crc32Hex(large.bytes), 16),
      },
    ]);
  });

  it("is named after its one folder, its first file, or what the sender says", async () => {
    const person = await signUp();
    const titleOf = async (paths: string[], more = {}) => {
      const { downloadId } = await startTransfer(
        person,
        paths.map((path) => textFile(path)),
        more,
      );
      return (await rowOfLink(downloadId)).filename;
    };
    expect(await titleOf(["a/b.txt", "a/c/d.txt"])).toBe("a");
    expect(await titleOf(["b.txt", "a/c.txt"])).toBe("b.txt");
    expect(await titleOf(["a/b.txt"], { title: "Our trip" })).toBe("Our trip");
    expect(await titleOf(["a/b.txt"], { entries: undefined })).toBe("Transfer");
  });

  it("gives bytes that were announced and never sent back to the month [TRF-2]", async () => {
    const person = await signUp();
    const files = [textFile("a.txt")];
    const { downloadId } = await sendTransfer(person, files, { totals: { entries: 5, bytes: 1000 } });
    expect((await rowOfLink(downloadId)).size).toBe(13);
    expect(await monthOf(person.id)).toEqual({ bytes: 13, transfers: 1 });
  });

  it("grows by larger totals, within the month [TRF-3]", async () => {
    const person = await signUp();
    const [first, second] = [textFile("a.txt"), textFile("b.txt")];
    const { downloadId } = await startTransfer(person, [first]);
    const grown = { entries: { from: 1, list: [announcementOf(second)] } };
    expect(await answerOf(sendBatch(person, downloadId, grown))).toEqual([
      409,
      {
        code: "TOTALS_EXCEEDED",
        message: "These files are more than the transfer announced. Say the new totals first.",
      },
    ]);
    const totals = totalsOf([first, second]);
    expect(await batch(person, downloadId, { ...grown, totals })).toMatchObject({ entries: 2 });
    expect(await batch(person, downloadId, { ...grown, totals })).toMatchObject({ entries: 2 });
    expect(await monthOf(person.id)).toEqual({ bytes: 26, transfers: 1 });

    const tooMuch = { entries: 3, bytes: 3 * 1024 ** 3 };
    const [status, answer] = await answerOf(sendBatch(person, downloadId, { totals: tooMuch }));
    expect([status, answer.code, answer.planLimitExceeded]).toEqual([403, "PLAN_LIMIT_EXCEEDED", true]);
    expect(await monthOf(person.id)).toEqual({ bytes: 26, transfers: 1 });
  });

  it("returns everything to the month when it is cancelled, and leaves nothing in storage [TRF-2]", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 2]] }] });
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    await batch(person, started.downloadId, { receipts });
    await expect.poll(async () => (await batch(person, started.downloadId)).stored).toEqual([[0, 4]]);
    const cancelled = await person.post("/api/direct-upload/cancel", { downloadId: started.downloadId });
    expect(cancelled.status).toBe(200);
    expect(await monthOf(person.id)).toEqual({ bytes: 0, transfers: 0 });
    expect((await env.BUCKET.list({ prefix: `files/${started.uploadId}` })).objects).toEqual([]);
    expect(await answerOf(finish(person, started.downloadId))).toMatchObject([409, { code: "UPLOAD_CLOSED" }]);
  });
});

describe("a transfer's plan", () => {
  const paths = (count: number) => ({ totals: { entries: count, bytes: 1 }, expiration: "1d" });

  it("holds up to 1,000 files on the free plan [TRF-5]", async () => {
    const person = await signUp();
    expect((await person.post("/api/transfers", paths(1000))).status).toBe(200);
    expect(await answerOf(person.post("/api/transfers", paths(1001)))).toEqual([
      403,
      {
        code: "PLAN_LIMIT_EXCEEDED",
        planLimitExceeded: true,
        message: "A transfer on your plan holds up to 1,000 files.",
      },
    ]);
  });

  it("limits each file, the month, and the expiry as for a single file [TRF-5, TRF-29]", async () => {
    const person = await signUp();
    const rejected = async (more: Record<string, unknown>) => {
      const [status, { code, message }] = await answerOf(person.post("/api/transfers", startRequest(FILES, more)));
      return [status, code, message];
    };
    const large = { from: 0, list: [["a", 501 * MIB, 0]] };
    expect(await rejected({ entries: large, totals: { entries: 1, bytes: 501 * MIB } })).toEqual([
      403,
      "PLAN_LIMIT_EXCEEDED",
      "One of these files is larger than your plan allows (500 MB). Upgrade to send it, or leave it out.",
    ]);
    expect(await rejected({ totals: { entries: 5, bytes: 3 * 1024 * MIB } })).toEqual([
      403,
      "PLAN_LIMIT_EXCEEDED",
      "These files are 3 GB, but only 2 GB of this month's 2 GB are left.",
    ]);
    expect(await rejected({ expiration: "7d" })).toEqual([
      403,
      "PLAN_LIMIT_EXCEEDED",
      "The expiry “7 days” requires the Professional plan.",
    ]);
    expect(await monthOf(person.id)).toEqual({ bytes: 0, transfers: 0 });
  });
});

describe("a rejected announcement", () => {
  it.each([
    {
      why: "a path with ..",
      list: [
        ["a", 1, 0],
        ["../b", 1, 0],
      ],
      status: 400,
      code: "PATH_REFUSED",
      index: 1,
    },
    { why: "a folder with bytes", list: [["a/", 1, 0]], status: 400, code: "PATH_REFUSED", index: 0 },
    {
      why: "two equal paths",
      list: [
        ["a", 1, 0],
        ["A", 1, 0],
      ],
      status: 409,
      code: "ENTRY_CONFLICT",
      index: 1,
    },
    {
      why: "a file that is a folder",
      list: [
        ["a", 1, 0],
        ["a/b", 1, 0],
      ],
      status: 400,
      code: "PATH_REFUSED",
      index: 1,
    },
  ])("answers $status $code to $why, and leaves no upload [TRF-6]", async ({ list, status, code, index }) => {
    const person = await signUp();
    const start = startRequest([], { totals: { entries: 2, bytes: 2 }, entries: { from: 0, list } });
    expect(await answerOf(person.post("/api/transfers", start))).toMatchObject([status, { code, index }]);
    expect(await monthOf(person.id)).toEqual({ bytes: 0, transfers: 0 });
    expect(await (await person.fetch("/api/direct-upload/unfinished")).json()).toEqual([]);
    const rows = await env.DB.prepare("select status, error_code from upload_audit_logs where user_id = ?")
      .bind(person.id)
      .all();
    expect(rows.results).toEqual([{ status: "rejected", error_code: code }]);
  });

  it("changes nothing of the transfer: its first valid file can be announced again [TRF-6]", async () => {
    const person = await signUp();
    const { downloadId } = await startTransfer(person, [], { totals: { entries: 2, bytes: 2 }, entries: undefined });
    const wrong = {
      entries: {
        from: 0,
        list: [
          ["a", 1, 0],
          ["a", 1, 0],
        ],
      },
    };
    expect((await sendBatch(person, downloadId, wrong)).status).toBe(409);
    const right = {
      entries: {
        from: 0,
        list: [
          ["a", 1, 0],
          ["b", 1, 0],
        ],
      },
    };
    expect(await batch(person, downloadId, right)).toMatchObject({ entries: 2 });
  });
});

describe("a visitor's transfer", () => {
  it("may announce as many bytes as the free plan's month", async () => {
    const visitor = new Client("", workerWith({ ...env, ANONYMOUS_UPLOADS: "on" }));
    const start = (bytes: number) =>
      answerOf(visitor.post("/api/transfers", startRequest([], { entries: undefined, totals: { entries: 9, bytes } })));
    expect((await start(2 * 1024 * MIB))[0]).toBe(200);
    expect(await start(2 * 1024 * MIB + 1)).toMatchObject([
      403,
      { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true },
    ]);
  });
});
