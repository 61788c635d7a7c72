import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { TusSender } from "../support/tus-requests.ts";
import { putObject, textFile } from "../support/transfers.ts";
import { rowOf, runSql, signUp } from "../support/worker.ts";
import * as single from "./support.ts";
import * as transfers from "./transfer-support.ts";

const FILES = [textFile("a.txt", "ten bytes.")];
const OPEN = [{ object: 0, runs: [[0, 1]] }];

type Owner = Awaited<ReturnType<typeof signUp>>;

async function startTransfer(owner: Owner) {
  const sender = new Sender(await createRequest(owner));
  const started = await sender.begin(FILES, { open: OPEN, fingerprint: "f".repeat(64) });
  const { uploadId: id, downloadId } = started;
  const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(id));
  const sendPack = (bytes: Uint8Array<ArrayBuffer>) => putObject(started, 0, bytes);
  const upload: transfers.Transfer = { owner, id, downloadId, stub, sendPack };
  return { sender, upload };
}

async function startTus(owner: Owner) {
  const sender = new TusSender(await createRequest(owner));
  const tus = await sender.begin();
  const stub = env.UPLOADS.get(env.UPLOADS.idFromName(tus.id));
  const upload: single.Upload = { owner, id: tus.id, downloadId: "", sizeBytes: 5, stub };
  return { sender, tus, upload };
}

const leftOf = (owner: Owner, id: string) =>
  rowOf(
    `select status, monthly_upload_total as bytes, monthly_transfer_count as transfers
     from files join users on users.id = ? where files.id = ?`,
    owner.id,
    id,
  );
const ENDED = { status: "failed", bytes: 0, transfers: 0 };
const HOUR_AGO = () => Date.now() - HOUR_MS;

describe("a start through a request, of which nothing arrives", () => {
  it("gives everything back after an hour: a transfer of the page [REQ-2]", async () => {
    const owner = await signUp();
    const { upload } = await startTransfer(owner);
    await transfers.changeRecord(upload, { lastReceiptAt: HOUR_AGO() + MINUTE_MS });
    expect(await upload.stub.endIfAbandoned(upload.id)).not.toBeNull();
    expect(await leftOf(owner, upload.id)).toEqual({ status: "uploading", bytes: 10, transfers: 1 });
    await transfers.changeRecord(upload, { lastReceiptAt: HOUR_AGO() });
    await transfers.runAlarmTwice(upload);
    expect(await leftOf(owner, upload.id)).toEqual(ENDED);
  });

  it("gives everything back after an hour: a file by tus, whose sender is told when", async () => {
    const owner = await signUp();
    const { sender, tus, upload } = await startTus(owner);
    const at = (await single.recordOf(upload))?.lastReceiptAt ?? 0;
    const head = await sender.call(tus.path, "HEAD");
    expect(head.headers.get("upload-expires")).toBe(new Date(at + HOUR_MS).toUTCString());
    await single.changeRecord(upload, { lastReceiptAt: HOUR_AGO() });
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    expect(await leftOf(owner, upload.id)).toEqual(ENDED);
  });

  it("ends no later because its sender asks to go on", async () => {
    const { sender, upload } = await startTransfer(await signUp());
    const lastReceiptAt = HOUR_AGO() + MINUTE_MS;
    await transfers.changeRecord(upload, { lastReceiptAt });
    expect(await sender.begin(FILES, { open: OPEN, fingerprint: "f".repeat(64) })).toMatchObject({ resumed: true });
    expect(await transfers.recordOf(upload)).toMatchObject({ phase: "created", lastReceiptAt });
  });

  it("has a day from its first receipt on", async () => {
    const owner = await signUp();
    const { sender, upload } = await startTransfer(owner);
    const receipts = await upload.sendPack(transfers.bytesOf(FILES));
    await sender.post(`/api/transfers/${upload.downloadId}/batch`, { receipts });
    await transfers.changeRecord(upload, { lastReceiptAt: HOUR_AGO() });
    expect(await upload.stub.endIfAbandoned(upload.id)).not.toBeNull();
    expect(await leftOf(owner, upload.id)).toMatchObject({ status: "uploading" });
  });

  it("is ended by the cron an hour later where its session forgot it", async () => {
    const owner = await signUp();
    const { upload } = await startTransfer(owner);
    const row = await rowOf<{ after: number }>(
      "select abandon_at - created_at as after from files where id = ?",
      upload.id,
    );
    expect(row.after).toBe(2 * HOUR_MS);
    await runSql("update files set abandon_at = ? where id = ?", Date.now() - 1, upload.id);
    await transfers.changeRecord(upload, { lastReceiptAt: HOUR_AGO() });
    await sweep(servicesFor(env), Date.now);
    expect(await leftOf(owner, upload.id)).toEqual(ENDED);
  });
});

it("a start of an account's own has a day", async () => {
  const upload = await single.startUpload(single.IN_PARTS);
  await single.changeRecord(upload, { lastReceiptAt: HOUR_AGO() });
  expect(await upload.stub.endIfAbandoned(upload.id)).not.toBeNull();
  expect(await rowOf("select status from files where id = ?", upload.id)).toEqual({ status: "uploading" });
});
