import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import { sealedEntryName } from "#domain/seal/names.ts";
import type { StartTransferAnswer } from "#domain/wire.ts";
import { usedOf } from "../support/limited-links.ts";
import { Recipient } from "../support/recipient.ts";
import { manifestOf, openSeal, openStream, putManifest, requireOk, unlockSealed } from "../support/sealed-uploads.ts";
import { markReceipts, sendSealedTransfer, startSealed } from "../support/sealed-transfers.ts";
import { finish, join, putObject, sendBatch, startTransfer } from "../support/transfers.ts";
import { answerOf, patternBytes, rowOf, signUp, type Client } from "../support/worker.ts";

const text = (words: string) => new Uint8Array(new TextEncoder().encode(words));
const FILES = [
  { name: "trip/plan.txt", type: "text/plain", bytes: text("the plan") },
  { name: "trip/empty/", type: "", bytes: new Uint8Array() },
  { name: "trip/map.bin", type: "", bytes: patternBytes(300_000) },
];
const FINGERPRINT = "d4".repeat(32);

const link = (downloadId: string, end = "") => `/api/files/download/${downloadId}${end}`;

async function refusalOf(answer: Promise<Response>): Promise<[number, unknown]> {
  const [status, { code }] = await answerOf(answer);
  return [status, code];
}

describe("a sealed transfer", () => {
  it("is opened file by file, an empty folder too, by whoever has the whole link", async () => {
    const { downloadId, sealer } = await sendSealedTransfer(await signUp(), FILES);
    const recipient = new Recipient();
    const answer = await unlockSealed(recipient, downloadId, sealer);
    const { keys, manifest } = await openSeal(sealer, answer);
    expect([manifest.title, manifest.files.map(({ name }) => name)]).toEqual([
      "Our secret trip",
      ["trip/plan.txt", "trip/empty/", "trip/map.bin"],
    ]);
    for (const [n, { bytes }] of FILES.entries()) {
      const response = await recipient.fetch(link(downloadId, `/entries/${n}/content`));
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      const opened = await openStream({ keys }, n, bytes.length, new Uint8Array(await response.arrayBuffer()));
      expect(opened).toEqual(bytes);
    }
  });

  it("shows numbers and sizes to the server alone", async () => {
    const { downloadId, sealer } = await sendSealedTransfer(await signUp(), FILES);
    const recipient = new Recipient();
    const { info } = await unlockSealed(recipient, downloadId, sealer);
    expect(info).toMatchObject({ filename: "sealed.zip", size: 300_120, downloadUrl: null });
    expect(info.transfer).toEqual({ title: "sealed", entries: 3, bytes: 300_120, message: null });
    const { entries } = await (await recipient.fetch(link(downloadId, "/entries"))).json<{ entries: unknown[] }>();
    expect(entries).toMatchObject([
      { path: "sealed-00000", size: 36, type: "application/octet-stream" },
      { path: "sealed-00001", size: 28 },
      { path: "sealed-00002", size: 300_056 },
    ]);
    for (const entry of entries) expect(entry).not.toHaveProperty("sha256");
  });

  it("has no ZIP and no previews on the server", async () => {
    const { downloadId, sealer } = await sendSealedTransfer(await signUp(), FILES);
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    for (const end of ["/content", "/content?pick=0", "/entries/0/preview"]) {
      expect(await refusalOf(recipient.fetch(link(downloadId, end)))).toEqual([409, "SEALED"]);
    }
  });

  it("counts once when all of one file was taken", async () => {
    const { downloadId, sealer } = await sendSealedTransfer(await signUp(), FILES, { guards: { maxDownloads: 3 } });
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    expect((await recipient.take(downloadId)).status).toBe(201);
    await (await recipient.fetch(link(downloadId, "/entries/0/content"))).arrayBuffer();
    await vi.waitFor(async () => {
      const { used } = await rowOf<{ used: number }>(
        "select downloads_used as used from files where download_id = ?",
        downloadId,
      );
      expect(used).toBe(1);
    });
  });
});

describe("a file of a sealed transfer that was opened", () => {
  it("is named, is there, and counts", async () => {
    const owner = await signUp();
    const { downloadId, uploadId, sealer } = await sendSealedTransfer(owner, FILES, { guards: { maxDownloads: 3 } });
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    await requireOk(recipient.take(downloadId));
    const opened = (body: unknown) => recipient.post(link(downloadId, "/opened"), body);
    expect(await refusalOf(opened({}))).toEqual([400, "BAD_REQUEST"]);
    expect(await refusalOf(opened({ entry: 3 }))).toEqual([400, "BAD_REQUEST"]);
    await requireOk(owner.delete(`/api/files/${uploadId}/entries/2`));
    expect(await refusalOf(opened({ entry: 2 }))).toEqual([410, "FILE_EXPIRED"]);
    expect(await usedOf(downloadId)).toBe(0);
    expect((await opened({ entry: 0 })).status).toBe(204);
    await vi.waitFor(async () => {
      expect(await usedOf(downloadId)).toBe(1);
    });
  });
});

describe("the start of a transfer", () => {
  it("may be long only for an encrypted list", async () => {
    const owner = await signUp();
    const plain = { expiration: "1d", totals: { entries: 1, bytes: 1 }, unknown: "x".repeat(256 * KIB) };
    expect(await refusalOf(owner.post("/api/transfers", plain))).toEqual([413, "BODY_TOO_LARGE"]);
    const { request } = await startSealed(owner, FILES);
    const manifest = "A".repeat(300 * KIB);
    const sealed = (entries: number) => {
      const seal = { ...(request["seal"] as object), manifest };
      return refusalOf(owner.post("/api/transfers", { expiration: "1d", totals: { entries, bytes: 1 }, seal }));
    };
    expect(await sealed(104)).toEqual([400, "BAD_REQUEST"]);
    expect(await sealed(105)).toEqual([200, undefined]);
  });
});

describe("what a sealed transfer announces", () => {
  const startWith = async (list: unknown[], more: Record<string, unknown> = {}) => {
    const owner = await signUp();
    const { seal } = (await startSealed(owner, FILES)).request;
    const body = { seal, expiration: "1d", totals: { entries: 9, bytes: 1000 }, entries: { from: 0, list }, ...more };
    return refusalOf(owner.post("/api/transfers", body));
  };

  it("is neither name, type nor date, and only sizes that streams have [SEAL-25]", async () => {
    expect(await startWith([["sealed-00000", 36, 0, ""]])).toEqual([200, undefined]);
    expect(await startWith([["the plan.txt", 36, 0, ""]])).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([["sealed-00001", 36, 0, ""]])).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([["sealed-00000", 36, 1_700_000_000_000, ""]])).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([["sealed-00000", 36, 0, "text/plain"]])).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([["sealed-00000", 27, 0, ""]])).toEqual([400, "BAD_REQUEST"]);
  });

  it("is no checksum", async () => {
    const list = [["sealed-00000", 36, 0, ""]];
    expect(await startWith(list, { sums: [{ n: 0, sha256: "ab".repeat(32) }] })).toEqual([400, "BAD_REQUEST"]);
  });

  it("is neither title nor message", async () => {
    expect(await startWith([], { title: "Our trip" })).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([], { message: "Look at this" })).toEqual([400, "BAD_REQUEST"]);
    expect(await startWith([], { guards: { password: "a password" } })).toEqual([400, "BAD_REQUEST"]);
  });

  it("stays so in later batches", async () => {
    const owner = await signUp();
    const { downloadId } = await startSealed(owner, FILES, { totals: { entries: 9, bytes: 1_000_000 } });
    const announce = (name: string) =>
      refusalOf(sendBatch(owner, downloadId, { entries: { from: 3, list: [[name, 28, 0, ""]] } }));
    expect(await announce("more.txt")).toEqual([400, "BAD_REQUEST"]);
    expect(await announce(sealedEntryName(3))).toEqual([200, undefined]);
  });
});

describe("marks of a sealed transfer", () => {
  async function sendPack(owner: Client) {
    const started = await startSealed(owner, FILES, { fingerprint: FINGERPRINT });
    const { sealer, entries } = started;
    const receipts = await putObject(started, 0, join(entries.map(({ bytes }) => bytes)));
    const resume = (): Promise<StartTransferAnswer> =>
      startTransfer(owner, [], {
        ...started.request,
        open: [],
        entries: undefined,
        totals: { entries: 3, bytes: 300_120 },
        fingerprint: FINGERPRINT,
      });
    return { ...started, receipts, marked: await markReceipts(sealer, receipts, [0, 1, 2], entries), resume };
  }

  it("are one for each file in the pack, or the receipt is refused [SEAL-22]", async () => {
    const owner = await signUp();
    const { downloadId, receipts, marked } = await sendPack(owner);
    const report = (sent: unknown) => refusalOf(sendBatch(owner, downloadId, { receipts: sent }));
    expect(await report(receipts)).toEqual([400, "BAD_REQUEST"]);
    expect(await report(marked.map((receipt) => ({ ...receipt, marks: receipt.marks?.slice(1) })))).toEqual([
      400,
      "BAD_REQUEST",
    ]);
    expect(await report(marked)).toEqual([200, undefined]);
  });

  it("are told to whoever goes on, also of what is stored", async () => {
    const owner = await signUp();
    const { downloadId, uploadId, marked, resume } = await sendPack(owner);
    expect((await resume()).marks).toEqual([]);
    await requireOk(sendBatch(owner, downloadId, { receipts: marked }));
    const transfer = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
    await vi.waitFor(async () => {
      expect((await resume()).stored).toEqual([[0, 3]]);
    });
    await evictDurableObject(transfer);
    const again = await resume();
    expect([again.downloadId, again.resumed, again.seal]).toEqual([
      downloadId,
      true,
      expect.objectContaining({ revision: 0, final: false }),
    ]);
    expect(again.marks).toEqual(marked[0]?.marks?.map((mark) => ({ ...mark, part: 1 })));
  });

  it("of a large file are told by its parts, and forgotten when its sender drops them", async () => {
    const owner = await signUp();
    const large = [{ name: "film.mp4", type: "video/mp4", bytes: patternBytes(16 * MIB + 100) }];
    const started = await startSealed(owner, large, { fingerprint: FINGERPRINT });
    const { sealer, entries, downloadId, request } = started;
    const totals = { entries: 1, bytes: entries[0]?.bytes.length };
    const resume = () => startTransfer(owner, [], { ...request, open: [], entries: undefined, totals });
    const receipts = await putObject(started, 0, entries[0]?.bytes ?? new Uint8Array());
    const marked = await markReceipts(sealer, receipts.slice(0, 2), [0], entries);
    await requireOk(sendBatch(owner, downloadId, { receipts: marked }));
    const resumed = await resume();
    expect([resumed.downloadId, resumed.received.map(({ parts }) => parts)]).toEqual([downloadId, [[[1, 2]]]]);
    expect(resumed.marks).toEqual(marked.map(({ part, marks }) => ({ ...marks?.[0], part })));
    await requireOk(sendBatch(owner, downloadId, { drop: [0] }));
    expect((await resume()).marks).toEqual([]);
  });
});

it("a sealed transfer finishes with a final list alone [SEAL-26]", async () => {
  const owner = await signUp();
  const started = await startSealed(owner, FILES);
  const { sealer, entries, downloadId, uploadId } = started;
  const receipts = await putObject(started, 0, join(entries.map(({ bytes }) => bytes)));
  const marked = await markReceipts(sealer, receipts, [0, 1, 2], entries);
  expect(await refusalOf(finish(owner, downloadId, marked))).toEqual([409, "MANIFEST_MISSING"]);
  await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf(FILES, true)));
  expect((await finish(owner, downloadId, marked)).status).toBe(200);
});
