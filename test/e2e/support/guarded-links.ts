import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { query } from "./database.ts";

/** Opens the section of the upload card. */
export async function openGuards(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Protect the link" }).click();
}

export function passwordField(scope: Page | Locator): Locator {
  return scope.getByLabel("Password", { exact: true });
}

export function limitField(scope: Page | Locator): Locator {
  return scope.getByLabel("Ends after … downloads");
}

/** @returns status and code of what somebody without a grant gets */
export async function seenByStranger(
  stranger: APIRequestContext,
  downloadId: string,
): Promise<[number, string | undefined]> {
  const response = await stranger.get(`/api/files/download/${downloadId}`);
  const { code } = (await response.json()) as { code?: string };
  return [response.status(), code];
}

export async function unlock(stranger: APIRequestContext, downloadId: string, password: string): Promise<number> {
  const response = await stranger.post(`/api/files/download/${downloadId}/unlock`, { data: { password } });
  return response.status();
}

/** Takes a download of a limited link and reads it to its end, as a program does. Waits until it is counted. */
export async function download(stranger: APIRequestContext, downloadId: string): Promise<void> {
  const used = () => usedOf(downloadId);
  const before = await used();
  const path = `/api/files/download/${downloadId}`;
  const taken = (await (await stranger.post(`${path}/take`)).json()) as { lease: string };
  const content = await stranger.get(`${path}/content`, { headers: { "mayfly-lease": taken.lease } });
  expect(content.status()).toBe(200);
  await content.body();
  await expect.poll(used).toBe(before + 1);
}

async function usedOf(downloadId: string): Promise<number> {
  const [row] = await query(`select downloads_used as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}
