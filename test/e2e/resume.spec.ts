import { open, utimes } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUp, signUpByApi } from "./support/accounts.ts";
import { acknowledgedParts, LATER_PARTS, watchParts } from "./support/stalled-parts.ts";

/** Epoch seconds. */
const MODIFIED_S = 1_700_000_000;

/** Starts an upload of four parts that stalls after the second. @returns the file's path */
async function startAndStall(page: Page, name: string): Promise<string> {
  const path = await randomFile(name, 24 * MIB + 1);
  await utimes(path, MODIFIED_S, MODIFIED_S);
  await page.context().route(LATER_PARTS, () => undefined);
  const acknowledged = acknowledgedParts(page, [1, 2]);
  await chooseFile(page, path);
  await acknowledged;
  return path;
}

async function expectFinished(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  return page.getByLabel("Share link").inputValue();
}

test("after a reload, choosing the same file resumes the upload after the stored parts, under the same link @everyday", async ({
  page,
  request,
}) => {
  await signUp(page);
  const path = await startAndStall(page, "reloaded.bin");
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.context().unroute(LATER_PARTS);
  const sent = watchParts(page);
  await chooseFile(page, path);
  expect(await expectFinished(page)).toBe(link);
  expect([...sent].sort()).toEqual([3, 4]);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("a file whose stored part has other bytes by now is sent anew in that part, although its date is the same @everyday", async ({
  page,
  request,
}) => {
  await signUp(page);
  const path = await startAndStall(page, "edited.bin");
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  const file = await open(path, "r+");
  await file.write("edited", 3_000_000);
  await file.close();
  await utimes(path, MODIFIED_S, MODIFIED_S);
  await page.context().unroute(LATER_PARTS);
  const sent = watchParts(page);
  await chooseFile(page, path);
  expect(await expectFinished(page)).toBe(link);
  expect([...sent].sort()).toEqual([1, 3, 4]);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("the dashboard on another device offers to resume an upload with the same file", async ({
  page,
  request,
  openBrowser,
}) => {
  const email = await signUp(page);
  const path = await startAndStall(page, "moved.bin");
  const link = await page.getByLabel("Share link").inputValue();

  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  const row = other.getByRole("main").getByRole("listitem").filter({ hasText: "moved.bin" });
  await expect(row.getByRole("progressbar", { name: "Progress of moved.bin" })).toBeVisible();
  await row.getByLabel("Choose moved.bin again").setInputFiles(await randomFile("another.bin", 10));
  await expect(other.getByText("This is a different file", { exact: true })).toBeVisible();

  const sent = watchParts(other);
  await row.getByLabel("Choose moved.bin again").setInputFiles(path);
  await expect(other.getByRole("button", { name: "Discard moved.bin" })).toBeHidden();
  await expect(other.getByRole("main").getByRole("listitem").filter({ hasText: "moved.bin" })).toContainText(
    "0 downloads",
  );
  expect([...sent].sort()).toEqual([3, 4]);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("an unfinished upload can be discarded from the dashboard", async ({ page, openBrowser }) => {
  const email = await signUp(page);
  await startAndStall(page, "unwanted.bin");
  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  await other.getByRole("button", { name: "Discard unwanted.bin" }).click();
  await other.getByRole("button", { name: "Discard", exact: true }).click();
  await expect(other.getByText("Upload discarded", { exact: true })).toBeVisible();
  await expect(other.getByRole("main").getByText("unwanted.bin")).toHaveCount(0);
  // The sending device stops and shows the reason.
  await expect(page.getByText("This upload was discarded, here or on another device.", { exact: true })).toBeVisible();
});

test("an upload pauses offline and resumes by itself online", async ({ page, context, request, expectErrors }) => {
  await signUp(page);
  expectErrors(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  const path = await startAndStall(page, "paused.bin");
  await context.setOffline(true);
  await expect(
    page.getByText("You are offline. The upload resumes automatically when you are back online."),
  ).toBeVisible();
  await context.unroute(LATER_PARTS);
  await context.setOffline(false);
  const link = await expectFinished(page);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("after an error, 'Try again' resumes the upload without choosing the file again [ERR-18]", async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/500/);
  const path = await randomFile("failing.bin", 24 * MIB + 1);
  const acknowledged = acknowledgedParts(page, [1, 2, 3]);
  await context.route(/partNumber=4&/, async (route) => {
    await acknowledged;
    await route.fulfill({ status: 500 });
  });
  await chooseFile(page, path);
  await expect(page.getByText("Upload failed", { exact: true })).toBeVisible();
  await context.unroute(/partNumber=4&/);
  const sent = watchParts(page);
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  const link = await expectFinished(page);
  expect(sent.has(1)).toBe(false);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("navigating within the site does not end an upload", async ({ page }) => {
  await signUp(page);
  await startAndStall(page, "walking.bin");
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("uploading here")).toBeVisible();
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("link", { name: "Mayfly" }).click();
  await expect(page.getByLabel("Upload progress")).toBeVisible();
});

test("a chunked upload resumes under its link after a reload, and sends the chunks of an incomplete part again", async ({
  page,
  request,
}) => {
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  const path = await randomFile("reloaded-chunks.bin", 3 * MIB + 1);
  const chunks = "**/api/chunked-upload/chunk";
  let sentChunks = 0;
  const stalled = new Promise<void>((resolve) => {
    void page.route(chunks, async (route) => {
      if (sentChunks === 5) {
        resolve();
        return;
      }
      sentChunks += 1;
      await route.continue();
    });
  });
  await chooseFile(page, path);
  await stalled;
  const link = await page.getByLabel("Share Link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.unroute(chunks);
  let resentChunks = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/chunked-upload/chunk")) resentChunks += 1;
  });
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  expect(await page.getByLabel("Share Link").inputValue()).toBe(link);
  // No part of 8 MiB is whole, so nothing has a sum by which the stored chunks could be compared with the file.
  expect(resentChunks).toBe(13);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});
