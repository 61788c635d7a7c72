import type { Page } from "@playwright/test";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { expect } from "./fixtures.ts";

/** Makes an upload request of whoever is signed in. @param more fields besides its title */
export async function requestByApi(
  { request }: Page,
  title: string,
  more: Record<string, unknown> = {},
): Promise<ListedUploadRequest> {
  const response = await request.post("/api/requests", { data: { title, ...more } });
  if (!response.ok()) throw new Error(`the request answered ${response.status()}: ${await response.text()}`);
  return (await response.json()) as ListedUploadRequest;
}

/** The path of a link, for a page that has its own origin. */
export function pathOf({ link }: Pick<ListedUploadRequest, "link">): string {
  return new URL(link).pathname;
}

/** Sends the list that is shown, and waits for the receipt. */
export async function sendListed(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Send \d+ files? \(/ }).click();
  await expect(page.getByRole("heading", { name: "Everything has arrived" })).toBeVisible();
}
