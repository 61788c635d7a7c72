import { describe, expect, it } from "vitest";
import { batch, finish, join, putObject, startTransfer, textFile } from "../support/transfers.ts";
import { Client, signUp } from "../support/worker.ts";
import { Page } from "./page.ts";

const FILES = [textFile("a.txt"), textFile("b.txt"), textFile("empty.txt", ""), textFile("c.txt")];
const PACKED = join(FILES.slice(0, 2).map(({ bytes }) => bytes));

async function start() {
  const owner = await signUp();
  const started = await startTransfer(owner, FILES, {
    open: [
      { object: 0, runs: [[0, 2]] },
      { object: 1, runs: [[3, 1]] },
    ],
  });
  const receipts = {
    pack: await putObject(started, 0, PACKED),
    single: await putObject(started, 1, FILES[3]?.bytes ?? expect.unreachable()),
  };
  return { owner, started, receipts };
}

describe("a transfer's sockets", () => {
  it("tell whoever connects what is there, then which files have arrived, then the end [TRF-8]", async () => {
    const { owner, started, receipts } = await start();
    const sender = await Page.openTransfer(started.downloadId, owner);
    const watcher = await Page.openTransfer(started.downloadId, new Client());
    const empty = { type: "transfer_state", entries: 4, bytes: 39, stored: [[2, 1]], percent: 0 };
    expect(await sender.next("transfer_state")).toEqual(empty);
    expect(await watcher.next("transfer_state")).toEqual(empty);

    await batch(owner, started.downloadId, { receipts: receipts.pack });
    for (const page of [sender, watcher]) {
      expect(await page.next("entries_stored")).toEqual({ type: "entries_stored", runs: [[0, 2]] });
    }
    const late = await Page.openTransfer(started.downloadId, new Client());
    expect(await late.next("transfer_state")).toEqual({ ...empty, stored: [[0, 3]], percent: 66 });

    expect((await finish(owner, started.downloadId, receipts.single)).status).toBe(200);
    for (const page of [sender, watcher, late]) {
      expect(await page.next("upload_ended")).toEqual({ type: "upload_ended", status: "ready" });
      expect((await page.closed).code).toBe(1000);
    }
  });

  it("relay the sender's progress to everybody else", async () => {
    const { owner, started } = await start();
    const sender = await Page.openTransfer(started.downloadId, owner);
    const watcher = await Page.openTransfer(started.downloadId, new Client());
    const progress = {
      type: "transfer_progress",
      bytes: 20,
      percent: 51.3,
      moving: [
        [0, 40],
        [3, 80],
      ],
    };
    sender.send(progress);
    expect(await watcher.next("transfer_progress")).toEqual(progress);
    const late = await Page.openTransfer(started.downloadId, new Client());
    expect(await late.next("transfer_state")).toMatchObject({ percent: 51.3 });
    expect(sender.all("transfer_progress")).toEqual([]);
  });

  it.each([
    {
      what: "from a watcher",
      isSender: false,
      message: { type: "transfer_progress", bytes: 1, percent: 1, moving: [] },
      code: 1008,
    },
    {
      what: "of a single file",
      isSender: true,
      message: { type: "receipts", receipts: [{ part: 1, etag: "a" }] },
      code: 1007,
    },
    {
      what: "with 13 moving files",
      isSender: true,
      message: {
        type: "transfer_progress",
        bytes: 1,
        percent: 1,
        moving: Array.from({ length: 13 }, (_, n) => [n, 1]),
      },
      code: 1007,
    },
  ])("close on a message $what", async ({ isSender, message, code }) => {
    const { owner, started } = await start();
    const page = await Page.openTransfer(started.downloadId, isSender ? owner : new Client());
    await page.next("transfer_state");
    page.send(message);
    expect((await page.closed).code).toBe(code);
  });
});
