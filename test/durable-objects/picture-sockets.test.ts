import { expect, it } from "vitest";
import { PICTURES } from "../support/pictures.ts";
import { storePictures } from "../support/sent-pictures.ts";
import { startTransfer, textFile } from "../support/transfers.ts";
import { Client, signUp } from "../support/worker.ts";
import { Page } from "./page.ts";

it("sockets tell of new pictures, and whoever connects late how many there are [PIC-14]", async () => {
  const owner = await signUp();
  const files = Array.from({ length: 102 }, (_, n) => textFile(`${n}.jpg`));
  const { downloadId } = await startTransfer(owner, files);
  const watcher = await Page.openTransfer(downloadId, new Client());
  expect(await watcher.next("transfer_state")).not.toHaveProperty("pictures");
  await storePictures(owner, downloadId, { "1.tile": PICTURES.lossy, "0.tile": PICTURES.jpeg, "0.seconds": "3" });
  expect(await watcher.next("pictures")).toEqual({
    type: "pictures",
    list: [
      [0, { width: 24, height: 16, seconds: 3 }],
      [1, { width: 48, height: 32 }],
    ],
  });
  await storePictures(owner, downloadId, { "1.view": PICTURES.view });
  expect((await watcher.next("pictures")).list).toEqual([[1, { width: 48, height: 32, view: true }]]);
  const all = Object.fromEntries(files.map((_, n) => [`${n}.tile`, PICTURES.lossy]));
  await storePictures(owner, downloadId, all);
  expect((await watcher.next("pictures")).list).toHaveLength(100);
  expect((await watcher.next("pictures")).list).toHaveLength(2);
  const late = await Page.openTransfer(downloadId, new Client());
  expect(await late.next("transfer_state")).toMatchObject({ pictures: 102 });
});

it("the socket of a single file tells of its picture [PIC-14]", async () => {
  const owner = await signUp();
  const { downloadId } = await owner.startUpload(5);
  const watcher = await Page.open({ downloadId }, new Client());
  await storePictures(owner, downloadId, { "0.tile": PICTURES.lossy });
  expect((await watcher.next("pictures")).list).toEqual([[0, { width: 48, height: 32 }]]);
});
