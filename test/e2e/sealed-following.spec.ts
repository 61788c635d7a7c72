import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { SealingClient } from "#test/support/seal/sealed-uploads.ts";
import { signUp } from "./support/accounts.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";
import { chooseFiles } from "./support/many-files.ts";
import { downloadOf, saved } from "./support/sealed-page.ts";

/** Nine parts, the last of a MiB: each one is a segment. */
const FILM = { name: "film.bin", bytes: plainBytes(65 * MIB, 21) };
const REST = [3, 4, 5, 6, 7, 8, 9];
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function startFilm(baseURL = "") {
  return (await SealingClient.signUp(baseURL)).startFile(FILM);
}

const startOf = (page: Page) => page.getByRole("button", { name: "Download now" });

/** Leaves the page nothing but the browser's downloads. */
async function withoutFiles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
    Object.defineProperty(StorageManager.prototype, "getDirectory", {
      value: () => Promise.reject(new DOMException("not here", "SecurityError")),
    });
  });
}

test("an encrypted file is saved while it is uploaded, and its page says what it waits for [SEAL-40]", async ({
  baseURL,
  openBrowser,
}) => {
  const film = await startFilm(baseURL);
  const stranger = await openBrowser();
  await stranger.goto(film.link);
  await expect(stranger.getByRole("heading", { name: "film.bin" })).toBeVisible();
  await expect(stranger.getByText("Your download keeps pace with the sender.")).toBeVisible();
  await film.send(1, 2);
  await startOf(stranger).click();
  await expect(stranger.getByText(/^Decrypting on this device, 23 %\./)).toBeVisible();
  await expect(stranger.getByText("Waiting for the sender (23 %)", { exact: true }).last()).toBeVisible();
  await film.send(...REST);
  const file = await saved(stranger, () => film.end());
  expect([file.name, sha256(file.bytes)]).toEqual(["film.bin", sha256(FILM.bytes)]);
  await expect(stranger.getByText(/^Decrypted\. Your browser saves it now/)).toBeVisible();
  await expect(downloadOf(stranger)).toBeVisible();
});

test("what was saved of an upload is completed after a closed tab and the end of the upload [SEAL-40]", async ({
  baseURL,
  openBrowser,
}) => {
  const film = await startFilm(baseURL);
  await film.send(1, 2);
  const stranger = await openBrowser();
  await stranger.goto(film.link);
  await startOf(stranger).click();
  await expect(stranger.getByText(/^Decrypting on this device, 23 %\./)).toBeVisible();
  await stranger.getByRole("button", { name: "Stop" }).click();
  await expect(stranger.getByText("Stopped.")).toBeVisible();
  await film.send(...REST);
  await film.end();
  const again = await stranger.context().newPage();
  await stranger.close();
  const ranges: string[] = [];
  await again.context().route("**/content", async (route) => {
    ranges.push((await route.request().allHeaders())["range"] ?? "");
    await route.continue();
  });
  await again.goto(film.link);
  const file = await saved(again);
  expect(sha256(file.bytes)).toBe(sha256(FILM.bytes));
  // 63 whole records were staged: the server keeps the last 64 KiB of two parts back.
  expect(ranges[0]).toMatch(/^bytes=16515072-/);
});

test("an upload that is cancelled leaves a message and no file [SEAL-40]", async ({
  baseURL,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/404|ERR_|Failed to load resource/);
  const film = await startFilm(baseURL);
  await film.send(1, 2);
  const stranger = await openBrowser();
  const downloads: string[] = [];
  stranger.on("download", (download) => downloads.push(download.url()));
  await stranger.goto(film.link);
  await startOf(stranger).click();
  await expect(stranger.getByText(/^Decrypting on this device, 23 %\./)).toBeVisible();
  await film.cancel();
  await expect(stranger.getByRole("heading", { name: "Upload Cancelled" })).toBeVisible();
  expect(downloads).toEqual([]);
});

test("the browser's own download keeps pace, too [SEAL-40]", async ({ baseURL, openBrowser }) => {
  const film = await startFilm(baseURL);
  await film.send(1, 2);
  const stranger = await openBrowser();
  await withoutFiles(stranger);
  await stranger.goto(film.link);
  const file = await saved(stranger, async () => {
    await startOf(stranger).click();
    // The last opened piece is held, because it may be the last of the file.
    await expect(stranger.getByText("Waiting for the sender (21 %)", { exact: true }).last()).toBeVisible();
    await film.send(...REST);
    await film.end();
  });
  expect([file.name, sha256(file.bytes)]).toEqual(["film.bin", sha256(FILM.bytes)]);
  await expect(stranger.getByText("Decrypted and saved.")).toBeVisible();
});

for (const [place, prepare] of [
  ["a file of this site", () => Promise.resolve()],
  ["the browser's downloads", withoutFiles],
] as const) {
  test(`nothing is saved with another sum than that of the final list, in ${place} [SEAL-42]`, async ({
    baseURL,
    openBrowser,
  }) => {
    const film = await startFilm(baseURL);
    await film.send(1, 2, ...REST);
    const stranger = await openBrowser();
    await prepare(stranger);
    const failures: Promise<string | null>[] = [];
    stranger.on("download", (download) => failures.push(download.failure()));
    await stranger.goto(film.link);
    await startOf(stranger).click();
    await expect(stranger.getByText(/^Waiting for the sender \(9\d %\)$/).last()).toBeVisible({ timeout: 180_000 });
    await film.end("ab".repeat(32));
    await expect(stranger.getByRole("alert")).toHaveText(/^Part of this file is not what the sender encrypted\./);
    expect(await Promise.all(failures)).not.toContain(null);
  });
}

test("a large file of an encrypted transfer is saved while it arrives [SEAL-44]", async ({ page, openBrowser }) => {
  const path = await randomFile("film.bin", 66 * MIB);
  await signUp(page);
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(/\/0000[5-9]\?/, async (route) => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  await chooseFiles(page, [path, await randomFile("note.bin", 10)]);
  const link = await page.getByLabel("Share link").inputValue();
  const stranger = await openBrowser();
  await stranger.goto(link);
  await stranger.getByRole("button", { name: "Preview and details of film.bin" }).click();
  const dialog = stranger.getByRole("dialog");
  await dialog.getByRole("button", { name: "Download now", exact: true }).click();
  await expect(dialog.getByText(/^Decrypting on this device, [1-9]\d %\./)).toBeVisible();
  const file = await saved(stranger, () => {
    resolve(undefined);
    return Promise.resolve();
  });
  expect([file.name, sha256(file.bytes)]).toEqual(["film.bin", sha256(await readFile(path))]);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
});
