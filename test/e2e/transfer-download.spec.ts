import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expectAccessible } from "./support/axe.ts";
import { signUpByApi } from "./support/accounts.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { downloadCount } from "./support/sharing.ts";
import { openTransfer, rowOf, selectionOf, takeZip, TRIP, wholeZipOf } from "./support/transfer-page.ts";
import { startTransferByApi, uploadTransferByApi, type SentFile } from "./support/transfers.ts";

/** @param count at most 1,000, in folders of fifty */
const manyFiles = (count: number): SentFile[] =>
  Array.from({ length: count }, (_, n) => ({
    path: `all/${String(Math.floor(n / 50)).padStart(2, "0")}/${String(n).padStart(3, "0")}.txt`,
    body: `text ${n}`,
  }));

test("shows what the sender wrote, the expiry and every file, and offers all of them as a ZIP [TRF-39] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const message = "Hi all,\n\nthe photos are on https://example.com/photos too.";
  const { downloadId } = await uploadTransferByApi(page.request, TRIP, { title: "Our trip", message });
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  await expect(stranger).toHaveTitle(/^Our trip · /);
  const content = (name: string) => stranger.locator(`meta[property="${name}"], meta[name="${name}"]`);
  await expect(content("og:title")).toHaveAttribute("content", "Our trip");
  await expect(content("og:description")).toHaveAttribute("content", /^4 files, 1\.\d+ KB$|^4 files, \d+ Bytes$/);
  await expect(stranger.getByRole("heading", { name: "Our trip" })).toBeVisible();
  await expect(stranger.getByRole("timer")).toHaveText(/^23 h 59 min left$/);
  expect(await stranger.getByText("Hi all,").innerText()).toBe(message);
  await expect(stranger.getByRole("link", { name: /example/ })).toHaveCount(0);

  const tree = stranger.getByRole("treegrid", { name: "Files" });
  await expect(tree).toHaveAttribute("aria-rowcount", "7");
  await expect(tree.getByRole("row")).toHaveCount(7);
  await expect(rowOf(stranger, "route.txt")).toContainText("18 Bytes");
  await expect(rowOf(stranger, "empty")).toContainText("Empty folder");
  await expect(wholeZipOf(stranger)).toHaveText(/^Download all \(ZIP, [\d.]+ (KB|Bytes)\)$/);
  const files = await takeZip(stranger, wholeZipOf(stranger));
  expect(Object.keys(files)).toEqual(TRIP.map(({ path }) => path));
  expect(files["trip/route.txt"]).toBe("Lisbon, then Porto");
  await expect.poll(() => downloadCount(downloadId)).toBe(1);
});

test("each file has its link, its preview and its checksum [TRF-40]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  const downloading = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "route.txt" }).click();
  expect(await readFile(await (await downloading).path(), "utf8")).toBe("Lisbon, then Porto");
  expect((await downloading).suggestedFilename()).toBe("route.txt");

  const dialog = stranger.getByRole("dialog");
  await stranger.getByRole("button", { name: "Preview and details of beach.png" }).click();
  const image = dialog.getByRole("img", { name: "beach.png" });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(300);
  await expect(dialog.getByRole("link", { name: "Download" })).toHaveAttribute(
    "href",
    `/api/files/download/${downloadId}/entries/1/content`,
  );
  await stranger.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await stranger.getByRole("button", { name: "Preview and details of route.txt" }).click();
  await expect(dialog.getByText("Lisbon, then Porto")).toBeVisible();
  await dialog.getByText("Check your download").click();
  // Of the file's text, by `sha256sum`.
  await expect(dialog.getByText("ae4b30a92a8af53c2b3ed4236aec909dccfa3d48e66d46d362a5bfacb9075803")).toBeVisible();
});

test("one file is reported, or all of them [TRF-40]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId, uploadId } = await uploadTransferByApi(page.request, TRIP, { title: "Our trip" });
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  const report = async (question: string) => {
    const dialog = stranger.getByRole("dialog", { name: /^Report/ });
    await expect(dialog.getByText(question)).toBeVisible();
    await dialog.getByLabel("Malware").check();
    await dialog.getByRole("button", { name: "Send report" }).click();
    await stranger.getByRole("dialog", { name: "Thank you" }).getByRole("button", { name: "Close" }).first().click();
  };
  await stranger.getByRole("button", { name: "Report these files" }).click();
  await report("What is wrong with Our trip?");
  await stranger.getByRole("button", { name: "Preview and details of route.txt" }).click();
  await stranger.getByRole("button", { name: "Report this file" }).click();
  await report("What is wrong with route.txt?");
  const reports = await query(`select entry from file_reports where file_id = '${uploadId}' order by created_at`);
  expect(reports).toEqual([{ entry: null }, { entry: 3 }]);
});

test("files and folders are selected and taken as one ZIP, with the keyboard alone too [TRF-41]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  await stranger.getByLabel("Select everything in photos").check();
  await stranger.getByLabel("Select read me.txt").check();
  await expect(stranger.getByLabel("Select everything in trip")).toBeChecked({ indeterminate: true });
  await expect(selectionOf(stranger)).toHaveText("Download 3 files (ZIP)");
  expect(Object.keys(await takeZip(stranger))).toEqual([
    "trip/photos/beach.png",
    "trip/photos/harbour.png",
    "read me.txt",
  ]);
  await stranger.getByRole("button", { name: "Clear" }).click();
  await expect(selectionOf(stranger)).toHaveCount(0);

  await stranger.getByLabel("Select all").focus();
  const press = (key: string) => stranger.keyboard.press(key);
  const focused = () => stranger.evaluate(() => document.activeElement?.getAttribute("data-key"));
  await press("Tab");
  expect(await focused()).toBe("4");
  await press("Home");
  expect(await focused()).toBe("trip/");
  await press("ArrowLeft");
  await expect(rowOf(stranger, "Select everything in trip")).toHaveAttribute("aria-expanded", "false");
  await press("ArrowDown");
  expect(await focused()).toBe("4");
  await press("Space");
  await expect(selectionOf(stranger)).toHaveText("Download 1 file (ZIP)");
  await press("Home");
  await press("ArrowRight");
  await expect(rowOf(stranger, "Select everything in trip")).toHaveAttribute("aria-expanded", "true");
  await press("End");
  expect(await focused()).toBe("4");
  // One Tab stop for the row, then what is in it, then out of the tree.
  await press("Tab");
  await expect(stranger.getByLabel("Select read me.txt")).toBeFocused();
  await press("Tab");
  await expect(stranger.getByRole("link", { name: "read me.txt" })).toBeFocused();
  await press("Tab");
  await expect(stranger.getByRole("button", { name: "Preview and details of read me.txt" })).toBeFocused();
  await press("Tab");
  await expect(stranger.getByRole("button", { name: "Clear" })).toBeFocused();
  const downloading = stranger.waitForEvent("download");
  await press("Shift+Tab");
  await press("ArrowDown");
  expect(await focused()).toBe("4");
  await press("Enter");
  expect((await downloading).suggestedFilename()).toBe("read me.txt");
});

test("a long list loads as it is scrolled, and a folder or everything is selected before it is loaded [TRF-41]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, manyFiles(700));
  const stranger = await openBrowser();
  const asked: string[] = [];
  stranger.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/entries")) asked.push(searchParams.get("from") ?? "");
  });
  await openTransfer(stranger, downloadId);
  // The first hundred files are in one folder, so its folders are closed and the list goes on below them.
  await expect(rowOf(stranger, "Select everything in 10")).toHaveCount(1);
  const all = stranger.getByLabel("Select all");
  await all.check();
  await expect(selectionOf(stranger)).toHaveText("Download 700 files (ZIP)");
  await stranger.getByLabel("Select everything in 00").uncheck();
  await expect(selectionOf(stranger)).toHaveText("Download 650 files (ZIP)");
  expect(asked).toEqual(["100", "600"]);
  const files = await takeZip(stranger);
  expect(Object.keys(files)).toHaveLength(650);
  expect(files["all/13/699.txt"]).toBe("text 699");

  await stranger.getByRole("button", { name: "13", exact: true }).click();
  await rowOf(stranger, "Select everything in 00").focus();
  await stranger.keyboard.press("End");
  await expect(rowOf(stranger, "699.txt")).toBeFocused();
  await expect(rowOf(stranger, "699.txt")).toBeInViewport();
  // Only a window of the rows is in the page.
  expect(await stranger.getByRole("row").count()).toBeLessThan(50);
});

test("without a script the first hundred files and the ZIP have their links [TRF-39]", async ({
  page,
  browser,
  baseURL,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, manyFiles(120));
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const stranger = await context.newPage();
  await stranger.goto(`/download/${downloadId}`);
  // With two folders, and the folder around them.
  await expect(stranger.getByRole("row")).toHaveCount(103);
  await stranger.getByRole("link", { name: "099.txt" }).scrollIntoViewIfNeeded();
  await expect(stranger.getByRole("link", { name: "099.txt" })).toBeVisible();
  const downloading = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "099.txt" }).click();
  expect(await readFile(await (await downloading).path(), "utf8")).toBe("text 99");
  expect(Object.keys(await takeZip(stranger, wholeZipOf(stranger)))).toHaveLength(120);
  await context.close();
});

test("on a phone, a long name is cut in the middle, but is read out, copied and shown as a tip whole [DL-13]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const name = "Wedding selects, final version v2.zip";
  const { downloadId } = await uploadTransferByApi(page.request, [
    { path: name, body: "long" },
    { path: "short.txt", body: "short" },
  ]);
  const stranger = await openBrowser();
  await stranger.setViewportSize({ width: 390, height: 844 });
  await openTransfer(stranger, downloadId);
  const long = stranger.getByRole("link", { name, exact: true });
  const short = stranger.getByRole("link", { name: "short.txt", exact: true });
  await expect(stranger.getByTitle(name, { exact: true })).toHaveCount(1);
  expect(await partsShown(long)).toEqual(["Wedding selects, final versio", "n v2.zip"]);
  expect(await partsShown(short)).toBeNull();
  expect(await copyOf(long)).toBe(name);

  await stranger.setViewportSize({ width: 1440, height: 900 });
  expect(await partsShown(long)).toBeNull();
});

/** What a link shows instead of its name; null if the name fits in. */
function partsShown(link: Locator): Promise<[start: string, end: string] | null> {
  return link.evaluate((element) => {
    const shown = element.querySelector("[title]")?.getBoundingClientRect();
    const parts = element.querySelector<HTMLElement>("[data-end]");
    const line = parts?.getBoundingClientRect();
    if (!shown || !parts || !line) throw new Error("The link has no name that can be cut.");
    // One line of the name's element is to be seen, and the parts are at the top of theirs.
    if (line.top < shown.top - 1) return null;
    if (Math.abs(line.width - shown.width) > 1) throw new Error("The parts do not have the whole line.");
    return [parts.dataset["start"] ?? "", parts.dataset["end"] ?? ""];
  });
}

/** What the clipboard would get. */
function copyOf(link: Locator): Promise<string | undefined> {
  return link.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return getSelection()?.toString().trim();
  });
}

test("a German reader sees the page in German", async ({ page, browser, baseURL }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP, { title: "Reise" });
  const context = await browser.newContext({ locale: "de-DE", ...(baseURL === undefined ? {} : { baseURL }) });
  const reader = await context.newPage();
  await reader.goto(`/download/${downloadId}`);
  await expect(reader.getByText("Deine Dateien sind bereit", { exact: true })).toBeVisible();
  await expect(reader.getByText(/^4\s+Dateien, /)).toBeVisible();
  await expect(reader.getByRole("link", { name: /^Alle herunterladen \(ZIP, / })).toBeVisible();
  await expect(reader.getByRole("treegrid", { name: "Dateien" }).getByText("Leerer Ordner")).toBeVisible();
  await reader.getByLabel("Alles in photos auswählen").check();
  await expect(reader.getByRole("link", { name: "2 Dateien herunterladen (ZIP)" })).toBeVisible();
  await expect(reader.getByText(/^2\s+Dateien ausgewählt, /)).toBeVisible();
  await context.close();
});

test("is accessible: ready, with a selection, in a file's details, while it arrives, and as one empty folder", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const ready = await uploadTransferByApi(page.request, TRIP, { title: "Our trip", message: "Hello" });
  const stranger = await openBrowser();
  await openTransfer(stranger, ready.downloadId);
  await expectAccessible(stranger, "transfer-ready");
  await stranger.getByLabel("Select everything in photos").check();
  await expectAccessible(stranger, "transfer-selection");
  await stranger.getByRole("button", { name: "Preview and details of route.txt" }).click();
  await expect(stranger.getByRole("dialog").getByText("Lisbon, then Porto")).toBeVisible();
  await expectAccessible(stranger, "transfer-details");
  const arriving = await startTransferByApi(page.request, TRIP);
  await arriving.send(1, 2);
  await openTransfer(stranger, arriving.downloadId);
  await expect(rowOf(stranger, "route.txt")).toContainText("Waiting");
  await expectAccessible(stranger, "transfer-arriving");
  const empty = await uploadTransferByApi(page.request, [{ path: "nothing/", body: "" }]);
  await openTransfer(stranger, empty.downloadId);
  await expect(rowOf(stranger, "nothing")).toContainText("Empty folder");
  await expectAccessible(stranger, "transfer-empty");
});
