import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { pngFile } from "./sample-files.ts";
import type { SentFile } from "./transfers.ts";

/** Four files and an empty folder. */
export const TRIP: SentFile[] = [
  { path: "trip/empty/", body: "" },
  { path: "trip/photos/beach.png", body: pngFile(300, 200) },
  { path: "trip/photos/harbour.png", body: pngFile(200, 100) },
  { path: "trip/route.txt", body: "Lisbon, then Porto" },
  { path: "read me.txt", body: "hello" },
];

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole("row", { name });
}

export function selectionOf(page: Page): Locator {
  return page.getByRole("link", { name: /^Download \d+ files? \(ZIP\)$/ });
}

export function wholeZipOf(page: Page): Locator {
  return page.getByRole("link", { name: /^Download all \(ZIP, / });
}

/** Waits until the list's script has come too: until then it is replaced under a click. */
export async function openTransfer(page: Page, downloadId: string): Promise<void> {
  await page.goto(`/download/${downloadId}`);
  await expect(page.getByRole("button", { name: "Report these files" })).toBeEnabled();
}

/** @returns the names and texts of the ZIP's files */
export async function takeZip(page: Page, link = selectionOf(page)): Promise<Record<string, string>> {
  const downloading = page.waitForEvent("download");
  await link.click();
  const bytes = await readFile(await (await downloading).path());
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]));
}
