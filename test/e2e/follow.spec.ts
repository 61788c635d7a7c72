import { writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { signUp, signUpByApi } from "./support/accounts.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { limitField, openGuards } from "./support/guarded-links.ts";
import { chooseFiles } from "./support/many-files.ts";
import { mp4File } from "./support/sample-files.ts";
import { downloadCount } from "./support/sharing.ts";
import { waitForScripts } from "./support/waiting.ts";

/** Nine parts, each of which can be read as soon as it is stored. */
const SIZE_BYTES = 66 * MIB;
/** Can be read of the first four parts: 64 KiB are kept for pauses. */
const FIRST_PARTS_BYTES = 4 * 8 * MIB - 64 * 1024;
/** Each part is an object of its own: those from the fifth on. */
const LATER_PARTS = /\/0000[4-8]\?/;
/** Of nine parts, four: 32 of 66 MiB. */
const PERCENT = 48;

interface Sending {
  link: string;
  downloadId: string;
  /** Lets the later parts go. */
  letGo(): void;
}

/** Sends a file from the home page, whose parts from the fifth on are held back. */
async function sendHeld(page: Page, path: string): Promise<Sending> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(LATER_PARTS, async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  await chooseFile(page, path);
  const link = await page.getByLabel("Share link").inputValue();
  return { link, downloadId: link.split("/").at(-1) ?? "", letGo: () => resolve(undefined) };
}

/** Opens the link once the first four parts are there, with a clock that the test advances. */
async function openHeld(visitor: Page, link: string): Promise<void> {
  await visitor.clock.install();
  // What shows the progress loads late, and opens the socket.
  const socket = visitor.waitForEvent("websocket");
  await visitor.goto(link);
  await socket;
  await expect(visitor.getByText(`${PERCENT} %`, { exact: true })).toBeVisible();
}

/** @returns the most bytes that the page's download has had so far */
async function watchBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  session.on("Page.downloadProgress", ({ receivedBytes }) => (bytes = Math.max(bytes, receivedBytes)));
  await session.send("Page.enable");
  return () => bytes;
}

const downloads = (page: Page) => page.getByRole("list", { name: "Downloads of this link" }).getByRole("listitem");

test("a recipient downloads at the sender's pace, and has the whole file after the sender [FEED-1, FOL-10, FOL-15] @everyday", async ({
  page,
  openBrowser,
}) => {
  const path = await randomFile("film.bin", SIZE_BYTES);
  await signUp(page);
  const { link, downloadId, letGo } = await sendHeld(page, path);
  const visitor = await openBrowser();
  await openHeld(visitor, link);
  await expect(visitor.getByText("On its way", { exact: true })).toBeVisible();
  await expect(visitor.getByText("Your download keeps pace with the sender.", { exact: true })).toBeVisible();
  const receivedBytes = await watchBytes(visitor);
  const starting = visitor.waitForEvent("download");
  await visitor.getByRole("link", { name: "Download now", exact: true }).click();
  const download = await starting;
  await expect.poll(receivedBytes).toBeGreaterThanOrEqual(FIRST_PARTS_BYTES);
  await expect(
    visitor.getByText("Your download is running. It is complete shortly after the upload.", { exact: true }),
  ).toBeVisible();
  await expect(downloads(page)).toHaveText([/^Somebody with the link · started .+ · 66 MB · downloading now$/]);

  await visitor.clock.fastForward(61_000);
  const waiting = visitor.getByText(`Waiting for the sender (${PERCENT} %)`, { exact: true });
  await expect(waiting).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Download Again", exact: true })).toBeVisible();

  letGo();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect(await sha256(await download.path())).toBe(await sha256(path));
  expect(download.suggestedFilename()).toBe("film.bin");
  await expect(visitor.getByText("Your file is ready", { exact: true })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await expect.poll(() => downloadCount(downloadId)).toBe(1);
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "film.bin" })).toContainText("1 download");
});

test("the progress stays in sight of somebody who presses the button before its script has come [FOL-10]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const data = { filename: "film.bin", fileType: "", fileSize: SIZE_BYTES, expiration: "1d" };
  const started = await page.request.post("/api/direct-upload/presigned-url", { data });
  const { downloadId } = (await started.json()) as StartUploadAnswer;
  const visitor = await openBrowser();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await visitor.route("**/assets/upload-in-progress-*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await visitor.goto(`/download/${downloadId}`, { waitUntil: "commit" });
  await waitForScripts(visitor);
  const asked = visitor.waitForRequest(/\/content\?follow=1$/);
  await visitor.getByRole("link", { name: "Download now", exact: true }).click();
  await asked;
  await expect(visitor.getByRole("progressbar")).toBeVisible();
  resolve(undefined);
  await expect(visitor.getByText("Waiting for the sender (0 %)", { exact: true })).toBeVisible();
});

test("a download of a limited link follows, counts once, and keeps its place until then [FOL-18, GRD-13]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const path = await randomFile("limited.bin", SIZE_BYTES);
  await signUp(page);
  await openGuards(page);
  await limitField(page).fill("1");
  const { link, downloadId, letGo } = await sendHeld(page, path);
  const visitor = await openBrowser();
  await openHeld(visitor, link);
  await expect(visitor.getByText("1 of 1 download left. A broken download does not count.")).toBeVisible();
  const receivedBytes = await watchBytes(visitor);
  const starting = visitor.waitForEvent("download");
  await visitor.getByRole("button", { name: "Download now", exact: true }).click();
  const download = await starting;
  await expect.poll(receivedBytes).toBeGreaterThanOrEqual(FIRST_PARTS_BYTES);

  expectErrors(/409/);
  const other = await openBrowser();
  await openHeld(other, link);
  await other.getByRole("button", { name: "Download now", exact: true }).click();
  await expect(other.getByRole("alert")).toHaveText(/^Somebody is downloading this right now\./);

  letGo();
  expect(await sha256(await download.path())).toBe(await sha256(path));
  await expect
    .poll(() => query(`select downloads_used as n from files where download_id = '${downloadId}'`))
    .toEqual([{ n: 1 }]);
});

test("an upload that its sender cancels breaks the download, and the page says so [FOL-17]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const { link, downloadId } = await sendHeld(page, await randomFile("cancelled.bin", SIZE_BYTES));
  const visitor = await openBrowser();
  await openHeld(visitor, link);
  const receivedBytes = await watchBytes(visitor);
  const starting = visitor.waitForEvent("download");
  await visitor.getByRole("link", { name: "Download now", exact: true }).click();
  const download = await starting;
  await expect.poll(receivedBytes).toBeGreaterThanOrEqual(FIRST_PARTS_BYTES);

  expectErrors(/404/);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect(await download.failure()).not.toBeNull();
  await expect(visitor.getByRole("heading", { name: "Upload Cancelled" })).toBeVisible();
  expect(await downloadCount(downloadId)).toBe(0);
});

/** Somebody has begun to send a film, and somebody else asks for its preview. */
async function previewHeld(page: Page, visitor: Page, index: "first" | "last"): Promise<Sending> {
  const path = await randomFile(`index-${index}.mp4`, 0);
  await signUp(page);
  await writeFile(path, await mp4File(page, SIZE_BYTES, index));
  const sending = await sendHeld(page, path);
  await openHeld(visitor, sending.link);
  await visitor.getByRole("button", { name: "Preview" }).click();
  return sending;
}

test("a film plays while it arrives, and plays on when all of it is there [FOL-11]", async ({ page, openBrowser }) => {
  const visitor = await openBrowser();
  const { letGo } = await previewHeld(page, visitor, "first");
  const film = visitor.locator("video");
  const playedTo = () => film.evaluate((video: HTMLVideoElement) => video.currentTime);
  await film.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    void video.play();
  });
  await expect.poll(playedTo).toBeGreaterThan(0.3);
  await expect(visitor.getByText("On its way", { exact: true })).toBeVisible();

  await film.evaluate((video) => Object.assign(video, { isSame: true }));
  letGo();
  await expect(visitor.getByText("Your file is ready", { exact: true })).toBeVisible();
  expect(await film.evaluate((video) => "isSame" in video)).toBe(true);
  expect(await playedTo()).toBeGreaterThan(0.3);
});

test("a film whose index is last says so, and starts when all of it is there [FOL-11]", async ({
  page,
  openBrowser,
}) => {
  const visitor = await openBrowser();
  const { letGo } = await previewHeld(page, visitor, "last");
  await expect(
    visitor.getByText("This film's index is at its end, so it starts once all of it is here.", { exact: true }),
  ).toBeVisible();
  await expect(visitor.locator("video")).toHaveCount(0);
  letGo();
  const film = visitor.locator("video");
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(160);
});

test("a large file of a transfer is downloaded while it arrives, from its details [FOL-30]", async ({
  page,
  openBrowser,
}) => {
  const film = await randomFile("film.bin", SIZE_BYTES);
  await signUp(page);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(/\/0000[5-9]\?/, async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  await chooseFiles(page, [film, await randomFile("note.bin", 10)]);
  const link = await page.getByLabel("Share link").inputValue();
  const visitor = await openBrowser();
  await visitor.goto(link);
  const details = visitor.getByRole("button", { name: "Preview and details of film.bin" });
  await expect(details).toHaveText(/^\d+ %$/);
  await details.click();
  const dialog = visitor.getByRole("dialog");
  await expect(dialog.getByText("Your download keeps pace with the sender.", { exact: true })).toBeVisible();
  const receivedBytes = await watchBytes(visitor);
  const starting = visitor.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download now", exact: true }).click();
  const download = await starting;
  await expect.poll(receivedBytes).toBeGreaterThanOrEqual(FIRST_PARTS_BYTES);
  await expect(
    dialog.getByText("Your download is running. It is complete shortly after the file has arrived.", { exact: true }),
  ).toBeVisible();
  resolve(undefined);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect(await sha256(await download.path())).toBe(await sha256(film));
  expect(download.suggestedFilename()).toBe("film.bin");
  await expect(dialog.getByRole("link", { name: "Download", exact: true })).toBeVisible();
});
