// @module-tag long
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import type { CompletedObjectPart } from "#domain/wire.ts";
import { ObjectVerifier } from "#durable-objects/transfer/object-verifier.ts";
import { ReadyList } from "#durable-objects/transfer/ready-list.ts";
import { NOTHING_VERIFIED, type Verification } from "#durable-objects/transfer/state.ts";
import { TransferStore } from "#durable-objects/transfer/store.ts";
import { openDatabase } from "#worker/db/client.ts";
import { LOST_ANSWER, LOST_REQUEST, STORE_ERROR, faultyEnv } from "../support/faults.ts";
import { batch, finish, putObject, textFile, type TransferFile } from "../support/transfers.ts";
import { answerOf, Client, patternBytes, rowOf, runSql } from "../support/worker.ts";
import { evict, listOf, recordOf, changeRecord, rowOfTransfer, startPack, type Transfer } from "./transfer-support.ts";

const LARGE: TransferFile = { ...textFile("video.bin"), bytes: patternBytes(17 * MIB) };
const CRC32 = crc32(LARGE.bytes);
const SHA256 = createHash("sha256").update(LARGE.bytes).digest("hex");
const WRONG_SHA256 = "ab".repeat(32);

/** Ready. @param isHonest whether the sender's sums are those of the bytes */
async function sendLarge(isHonest: boolean): Promise<Transfer> {
  const transfer = await startPack([LARGE], { sums: [{ n: 0, sha256: isHonest ? SHA256 : WRONG_SHA256 }] });
  const receipts = (await transfer.sendPack(LARGE.bytes)).map((receipt): CompletedObjectPart =>
    isHonest ? receipt : { ...receipt, crc32: "00000001" },
  );
  expect(await answerOf(finish(transfer.owner, transfer.downloadId, receipts))).toMatchObject([200, {}]);
  return transfer;
}

function zipOf({ id }: Transfer) {
  return rowOf<{ etag: string; changedAt: number; size: number }>(
    "select etag, zip_changed_at as changedAt, zip_size as size from files where id = ?",
    id,
  );
}

async function waitForVerification(transfer: Transfer): Promise<void> {
  await expect.poll(() => recordOf(transfer)).toMatchObject({ phase: "ready", verification: null });
}

/** As if nothing had been read back. */
async function forgetVerification({ id, stub }: Transfer): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => {
    const { list } = new TransferStore(storage);
    const state = list.find() ?? expect.unreachable();
    list.update(0, { crc32: 1, sha256: WRONG_SHA256, crcSource: "browser" });
    list.save({ ...state, etag: "the wrong one" });
  });
  await runSql("update files set etag = 'the wrong one' where id = ?", id);
}

/** Reads all in small bites. @param evictedAfter how many bites, once @returns how many bites it took */
function verifyInBites({ id, stub }: Transfer, evictedAfter: number | null): Promise<number> {
  return runInDurableObject(stub, async (_, { storage }) => {
    const store = new TransferStore(storage);
    const readyList = new ReadyList({
      db: openDatabase(env.DB),
      list: store.list,
      wake: () => undefined,
      onRemoved: () => undefined,
    });
    const onVerified: ReadyList["correct"] = (...sums) => readyList.correct(...sums);
    const create = () => new ObjectVerifier({ bucket: env.BUCKET, store, onVerified }, 5 * MIB);
    let verifier = create();
    let bites = 0;
    for (let at: Verification | null = NOTHING_VERIFIED; at; bites += 1) {
      at = await verifier.verify(id, at);
      if (bites + 1 === evictedAfter) verifier = create();
    }
    return bites;
  });
}

describe("a large file of a ready transfer", () => {
  it("is read back: right sums stay as they are, and are the server's from then on", async () => {
    const transfer = await sendLarge(true);
    const before = await zipOf(transfer);
    await waitForVerification(transfer);
    expect(await zipOf(transfer)).toEqual(before);
    expect(await listOf(transfer)).toMatchObject([{ crc32: CRC32, sha256: SHA256, crcSource: "server" }]);
  });

  it("gets its right sums, and the ZIP another ETag and date, when the sender's were wrong [TRF-33]", async () => {
    const transfer = await sendLarge(false);
    await waitForVerification(transfer);
    const corrected = await zipOf(transfer);
    expect(await listOf(transfer)).toMatchObject([{ crc32: CRC32, sha256: SHA256, crcSource: "server" }]);
    const honest = await sendLarge(true);
    expect(corrected).toMatchObject({ etag: (await rowOfTransfer(honest)).etag, size: (await zipOf(honest)).size });
    const { uploadedAt } = await rowOf<{ uploadedAt: number }>(
      "select uploaded_at as uploadedAt from files where id = ?",
      transfer.id,
    );
    expect(Math.floor(corrected.changedAt / 1000)).toBeGreaterThan(Math.floor(uploadedAt / 1000));

    // The ZIP is served with them.
    const zip = await new Client().fetch(`/api/files/download/${transfer.downloadId}/content`, { method: "HEAD" });
    expect([zip.status, zip.headers.get("etag")]).toEqual([200, `"${corrected.etag}"`]);

    // The alarm may come twice, also after the database was written and before its object was.
    await changeRecord(transfer, { verification: NOTHING_VERIFIED });
    await transfer.stub.endIfAbandoned(transfer.id);
    await waitForVerification(transfer);
    expect(await zipOf(transfer)).toEqual(corrected);
  });

  it("gets a SHA-256 when the sender sent none", async () => {
    const transfer = await startPack([LARGE]);
    await finish(transfer.owner, transfer.downloadId, await transfer.sendPack(LARGE.bytes));
    await waitForVerification(transfer);
    expect(await listOf(transfer)).toMatchObject([{ crc32: CRC32, sha256: SHA256, crcSource: "server" }]);
  });

  it.each([
    { when: "", evictedAfter: null, bites: 4 },
    { when: ", and again from its start when the object was evicted meanwhile", evictedAfter: 2, bites: 6 },
  ])("is read in bites$when [TRF-33]", async ({ evictedAfter, bites }) => {
    const transfer = await sendLarge(false);
    await waitForVerification(transfer);
    const corrected = await zipOf(transfer);
    await forgetVerification(transfer);
    expect(await verifyInBites(transfer, evictedAfter)).toBe(bites);
    expect(await listOf(transfer)).toMatchObject([{ crc32: CRC32, sha256: SHA256, crcSource: "server" }]);
    expect((await zipOf(transfer)).etag).toBe(corrected.etag);
  });

  it("is passed over when it has been removed meanwhile", async () => {
    const other = textFile("a.txt");
    const transfer = await startPack([LARGE, other], { open: [{ object: 0, runs: [[0, 1]] }] });
    const { owner, downloadId, id } = transfer;
    const receipts = await transfer.sendPack(LARGE.bytes);
    const opened = await batch(owner, downloadId, { receipts, open: [{ object: 1, runs: [[1, 1]] }] });
    await finish(owner, downloadId, await putObject(opened, 1, other.bytes));
    await waitForVerification(transfer);
    expect((await owner.delete(`/api/files/${id}/entries/0`)).status).toBe(200);
    const before = await zipOf(transfer);
    await changeRecord(transfer, { verification: NOTHING_VERIFIED });
    await transfer.stub.endIfAbandoned(id);
    await waitForVerification(transfer);
    expect(await zipOf(transfer)).toEqual(before);
  });

  it.each([
    { fails: "storage", database: null, storage: STORE_ERROR },
    { fails: "the database", database: LOST_REQUEST, storage: null },
    { fails: "the database's answer", database: LOST_ANSWER, storage: null },
  ])("is read again when $fails fails [TRF-33]", async ({ database, storage }) => {
    const transfer = await sendLarge(false);
    await waitForVerification(transfer);
    const corrected = await zipOf(transfer);
    await forgetVerification(transfer);
    await changeRecord(transfer, { verification: NOTHING_VERIFIED });
    const faulty = faultyEnv(
      env,
      (sql) => (sql.includes('"zip_size" = ?') ? database : null),
      () => storage,
    );
    await faulty.TRANSFERS.get(faulty.TRANSFERS.idFromName(transfer.id)).endIfAbandoned(transfer.id);
    expect(await recordOf(transfer)).toMatchObject({ verification: NOTHING_VERIFIED, attempts: 1 });
    await evict(transfer);
    await transfer.stub.endIfAbandoned(transfer.id);
    await waitForVerification(transfer);
    expect((await zipOf(transfer)).etag).toBe(corrected.etag);
    expect(await listOf(transfer)).toMatchObject([{ crc32: CRC32, sha256: SHA256, crcSource: "server" }]);
  });
});
