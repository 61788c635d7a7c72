import { copyFile } from "node:fs/promises";
import { MIB } from "#domain/units.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { register, signUp } from "./support/accounts.ts";

test("a 101 MB file is uploaded in parts after registration, watched by a visitor, and downloaded unchanged [DEC-2, DEC-8, DL-1, DL-5, NAV-15, UP-1, UP-6, UP-8, UP-14, UP-17, UP-21, UP-22]", async ({
  page,
  openBrowser,
}) => {
  const path = await randomFile("holiday in Zürich 🦟.bin", 101 * MIB);
  // Slow, until both sides have seen the upload.
  const network = await page.context().newCDPSession(page);
  const limitUpload = (uploadThroughput: number) =>
    network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await network.send("Network.enable");
  await limitUpload(4 * MIB);

  await page.goto("/");
  await chooseFile(page, path);
  await register(page);
  // Over 100 MB with the default expiry: the card announces the shorter expiry.
  const notice = "Large files on the default expiry are kept for 2 hours. Choose an expiry to change this.";
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  const expiry = page.getByLabel("Link expires after");
  await expect(expiry.locator("option:checked")).toHaveText("Automatic (2 hours)");
  await expect(expiry.getByRole("option", { name: "3 days", exact: true })).toBeEnabled();
  const start = page.waitForRequest("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  expect((await start).postDataJSON()).toMatchObject({ expiration: "3d", expirationChosen: false });

  const link = await page.getByLabel("Share link").inputValue();
  await expect(page.getByRole("heading", { name: "holiday in Zürich 🦟.bin", exact: true })).toBeVisible();
  for (const text of ["101 MB", /^\d+ %$/, /^[\d.]+ [KM]B\/s$/, /^\d+ (s|min) left$/]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeEnabled();
  const visitor = await openBrowser();
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "holiday in Zürich 🦟.bin" })).toBeVisible();
  await expect(visitor.getByText("On its way")).toBeVisible();
  const progressBar = visitor.getByRole("progressbar");
  const percent = Number(await progressBar.getAttribute("aria-valuenow"));
  expect(percent).toBeLessThan(100);
  await limitUpload(-1);
  await expect.poll(async () => Number(await progressBar.getAttribute("aria-valuenow"))).toBeGreaterThan(percent);

  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 120_000 });
  // Without a reload.
  const downloading = visitor.waitForEvent("download");
  await visitor.getByRole("link", { name: "Download", exact: true }).click();
  const download = await downloading;
  await expect(visitor.getByRole("link", { name: "Download Again" })).toBeVisible();
  expect(download.suggestedFilename()).toBe("holiday in Zürich 🦟.bin");
  const received = `${path}.received`;
  await copyFile(await download.path(), received);
  expect(await sha256(received)).toBe(await sha256(path));

  await visitor.getByText("Check your download").click();
  await expect(visitor.getByText("SHA-256, computed by the sender's browser")).toBeVisible();
  await expect(visitor.getByText(await sha256(path))).toBeVisible();
  const check = visitor.getByLabel("Choose the downloaded file");
  await check.setInputFiles(received);
  await expect(visitor.getByText("Your download is identical to the file that was sent.")).toBeVisible();
  await check.setInputFiles(await randomFile("another file.bin", 1000));
  await expect(visitor.getByText("This file is not identical to the one that was sent.")).toBeVisible();
});

test("a file kept for 3 minutes expires for everyone, and the sweep deletes its bytes [DL-1, DL-9, DL-11, ERR-43, UP-2] @everyday", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  await page.getByLabel("Link expires after").selectOption("3m");
  await chooseFile(page, await randomFile("short-lived.txt", 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const id = link.split("/").at(-1) ?? "";
  const content = `/api/files/download/${id}/content`;
  expect((await request.get(content)).status()).toBe(200);

  const visitor = await openBrowser();
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "short-lived.txt" })).toBeVisible();
  await query(`update files set expires_at = expires_at - 180000 where download_id = '${id}'`);

  expectErrors(/410/);
  const answer = await visitor.reload();
  expect(answer?.status()).toBe(410);
  await expect(visitor.getByRole("heading", { name: "File Has Expired" })).toBeVisible();
  expect((await request.get(content)).status()).toBe(410);
  expect((await request.get(`/api/files/download/${id}`)).status()).toBe(410);

  expect((await request.get("/cdn-cgi/local/scheduled")).ok()).toBe(true);
  const [row] = await query(`select s3_deleted_at, is_expired from files where download_id = '${id}'`);
  expect(row?.s3_deleted_at).toEqual(expect.any(Number));
  expect(row?.is_expired).toBe(1);
  await page.goto("/dashboard");
  await expect(page.getByRole("listitem").filter({ hasText: "short-lived.txt" })).toContainText("Expired");
});
