import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";

/** Of the page of one file. */
export function downloadOf(page: Page): Locator {
  return page.getByRole("button", { name: "Download", exact: true });
}

/** @returns the bytes of the file that a click saves */
export async function saved(
  page: Page,
  start = () => downloadOf(page).click(),
): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent("download");
  await start();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
