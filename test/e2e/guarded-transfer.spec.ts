import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { TRIP } from "./support/transfer-page.ts";
import { startTransferByApi, uploadTransferByApi } from "./support/transfers.ts";
import { openWithFakeClock } from "./support/waiting.ts";

const PASSWORD = "open sesame";

async function downloadsUsed(downloadId: string): Promise<number> {
  const [row] = await query(`select downloads_used as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}

async function sendTrip(page: Page, guards: { password?: string; maxDownloads?: number }): Promise<string> {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP, { title: "Our trip", guards });
  return downloadId;
}

/** Waits until the list's script has come too: until then it is replaced under a click. */
async function openGuarded(page: Page, downloadId: string): Promise<void> {
  await page.goto(`/download/${downloadId}`);
  await expect(page.getByRole("button", { name: "Report these files" })).toBeEnabled();
}

async function saved(page: Page, start: () => Promise<void>): Promise<Buffer> {
  const downloading = page.waitForEvent("download");
  await start();
  return readFile(await (await downloading).path());
}

const namesIn = (zip: Buffer) => Object.keys(unzipSync(zip));

test("one download holds everything, a selection, single files and their previews [GRD-15]", async ({
  page,
  openBrowser,
}) => {
  const id = await sendTrip(page, { maxDownloads: 2 });
  const stranger = await openBrowser();
  await openGuarded(stranger, id);
  await expect(stranger.getByText("2 of 2 downloads left. A broken download does not count.")).toBeVisible();
  await expectAccessible(stranger, "limited-transfer");

  await stranger.getByRole("button", { name: "Preview and details of beach.png" }).click();
  const dialog = stranger.getByRole("dialog");
  await expect(dialog.getByText("Looking at it counts as a download.")).toBeVisible();
  await expectAccessible(stranger, "limited-entry");
  await dialog.getByRole("button", { name: /^Preview/ }).click();
  const image = dialog.getByRole("img", { name: "beach.png" });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(300);
  await expect(dialog.getByText(/^You can go on with this download until /)).toBeVisible();
  await stranger.keyboard.press("Escape");

  await stranger.getByRole("button", { name: "Preview and details of route.txt" }).click();
  await expect(dialog.getByText("Lisbon, then Porto")).toBeVisible();
  const download = dialog.getByRole("button", { name: "Download" });
  expect((await saved(stranger, () => download.click())).toString()).toBe("Lisbon, then Porto");
  await stranger.keyboard.press("Escape");

  const row = stranger.getByRole("button", { name: "read me.txt", exact: true });
  expect((await saved(stranger, () => row.click())).toString()).toBe("hello");
  await stranger.getByLabel("Select everything in photos").check();
  const selection = await saved(stranger, () =>
    stranger.getByRole("button", { name: "Download 2 files (ZIP)" }).click(),
  );
  expect(namesIn(selection)).toEqual(["trip/photos/beach.png", "trip/photos/harbour.png"]);
  const all = await saved(stranger, () => stranger.getByRole("button", { name: /^Download all \(ZIP, / }).click());
  expect(namesIn(all)).toEqual(TRIP.map(({ path }) => path));
  expect(strFromU8(unzipSync(all)["read me.txt"] ?? new Uint8Array())).toBe("hello");
  await expect.poll(() => downloadsUsed(id)).toBe(1);

  // With the keyboard, from the row.
  await stranger.getByLabel("Select all").focus();
  const enter = async () => {
    await stranger.keyboard.press("Tab");
    await stranger.keyboard.press("End");
    await stranger.keyboard.press("Enter");
  };
  expect((await saved(stranger, enter)).toString()).toBe("hello");
  expect(await downloadsUsed(id)).toBe(1);
});

test("a refused file tells why beside it, and can be tried again there", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const id = await sendTrip(page, { maxDownloads: 1 });
  const first = await openBrowser();
  expect((await first.request.post(`/api/files/download/${id}/take`)).status()).toBe(201);
  const second = await openBrowser();
  await openGuarded(second, id);
  expectErrors(/409/);
  await second.getByRole("button", { name: "Preview and details of route.txt" }).click();
  const dialog = second.getByRole("dialog");
  await dialog.getByRole("button", { name: "Download" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(/^Somebody is downloading this right now\./);
  await expect(dialog.getByRole("button", { name: "Try again" })).toBeDisabled();
  await second.keyboard.press("Escape");
  await second.getByRole("button", { name: "read me.txt", exact: true }).click();
  await expect(second.getByRole("alert")).toBeInViewport();
  await expectAccessible(second, "busy-transfer");
});

test("without scripts forms take everything and single files [GRD-15]", async ({ page, browser, baseURL }) => {
  const id = await sendTrip(page, { maxDownloads: 1 });
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const stranger = await context.newPage();
  await stranger.goto(`/download/${id}`);
  const row = stranger.getByRole("button", { name: "route.txt", exact: true });
  expect((await saved(stranger, () => row.click())).toString()).toBe("Lisbon, then Porto");
  const all = await saved(stranger, () => stranger.getByRole("button", { name: /^Download all \(ZIP, / }).click());
  expect(namesIn(all)).toHaveLength(TRIP.length);
  await expect.poll(() => downloadsUsed(id)).toBe(1);
  await context.close();
});

test("a transfer that locks itself again while it arrives goes on after its password", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const transfer = await startTransferByApi(page.request, TRIP, { title: "Our trip", guards: { password: PASSWORD } });
  const stranger = await openBrowser();
  const sockets: string[] = [];
  stranger.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  await openWithFakeClock(stranger, `/download/${transfer.downloadId}`);
  const unlock = async () => {
    await expect(stranger.getByLabel("Password", { exact: true })).toBeFocused();
    await stranger.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await stranger.keyboard.press("Enter");
    await expect(stranger.getByRole("heading", { name: "Our trip" })).toBeVisible();
  };
  await unlock();
  await expect.poll(() => sockets).toEqual([`/api/files/download/${transfer.downloadId}/live`]);
  await stranger.context().clearCookies();
  expectErrors(/401/);
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByText("This link is locked again. Enter the password to go on.")).toBeVisible();
  await unlock();
});
