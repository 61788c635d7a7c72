import { copyFile } from "node:fs/promises";
import { query } from "./support/database.ts";
import { choose, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { register, signUp } from "./support/accounts.ts";

const MIB = 1024 * 1024;

test("a 300 MB file travels: register, upload in parts, watched by a stranger, downloaded whole", async ({
  page,
  openBrowser,
}) => {
  test.setTimeout(180_000);
  const path = await randomFile("holiday in Zürich 🦟.bin", 300 * MIB);
  // A slow line, until the upload has been looked at from both sides.
  const line = await page.context().newCDPSession(page);
  const limitUpload = (uploadThroughput: number) =>
    line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await line.send("Network.enable");
  await limitUpload(4 * MIB);

  await page.goto("/");
  await choose(page, path);
  await register(page);
  // Over 100 MB on the default expiry: the card says what will happen before anything is sent.
  const notice = "Large files on the default expiry are kept for 3 hours. Choose an expiry to change this.";
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  const expiry = page.getByLabel("Link expires after");
  await expect(expiry.locator("option:checked")).toHaveText("Automatic (3 hours)");
  await expect(expiry.getByRole("option", { name: "3 days", exact: true })).toBeEnabled();
  const start = page.waitForRequest("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  expect((await start).postDataJSON()).toMatchObject({ expiration: "3d", expirationChosen: false });

  const link = await page.getByLabel("Share link").inputValue();
  await expect(page.getByRole("heading", { name: "holiday in Zürich 🦟.bin", exact: true })).toBeVisible();
  for (const words of ["300 MB", /^\d+ %$/, /^[\d.]+ [KM]B\/s$/, /^\d+ (s|min) left$/]) {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeEnabled();
  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "holiday in Zürich 🦟.bin" })).toBeVisible();
  await expect(stranger.getByText("On its way")).toBeVisible();
  const arriving = stranger.getByRole("progressbar");
  const percent = Number(await arriving.getAttribute("aria-valuenow"));
  expect(percent).toBeLessThan(100);
  await limitUpload(-1);
  await expect.poll(async () => Number(await arriving.getAttribute("aria-valuenow"))).toBeGreaterThan(percent);

  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 120_000 });
  // No reload: the page turns by itself.
  const downloading = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "Download", exact: true }).click();
  const download = await downloading;
  await expect(stranger.getByRole("link", { name: "Download Again" })).toBeVisible();
  expect(download.suggestedFilename()).toBe("holiday in Zürich 🦟.bin");
  const received = `${path}.received`;
  await copyFile(await download.path(), received);
  expect(await sha256(received)).toBe(await sha256(path));

  await stranger.getByText("Check your download").click();
  await expect(stranger.getByText("SHA-256, computed by the sender's browser")).toBeVisible();
  await expect(stranger.getByText(await sha256(path))).toBeVisible();
  const check = stranger.getByLabel("Choose the downloaded file");
  await check.setInputFiles(received);
  await expect(stranger.getByText("It is exactly the file that was sent.")).toBeVisible();
  await check.setInputFiles(await randomFile("another file.bin", 1000));
  await expect(stranger.getByText("It is not the file that was sent.")).toBeVisible();
});

test("a 3-minute file past its time has expired for everyone, and its bytes are swept", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  await page.getByLabel("Link expires after").selectOption("3m");
  await choose(page, await randomFile("short-lived.txt", 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const id = link.split("/").at(-1) ?? "";
  const content = `/api/files/download/${id}/content`;
  expect((await request.get(content)).status()).toBe(200);

  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "short-lived.txt" })).toBeVisible();
  await query(`update files set expires_at = expires_at - 180000 where download_id = '${id}'`);

  expectErrors(/410/);
  const answer = await stranger.reload();
  expect(answer?.status()).toBe(410);
  await expect(stranger.getByRole("heading", { name: "File Has Expired" })).toBeVisible();
  expect((await request.get(content)).status()).toBe(410);
  expect((await request.get(`/api/files/download/${id}`)).status()).toBe(410);

  expect((await request.get("/cdn-cgi/local/scheduled")).ok()).toBe(true);
  const [row] = await query(`select s3_deleted_at, is_expired from files where download_id = '${id}'`);
  expect(row?.s3_deleted_at).toEqual(expect.any(Number));
  expect(row?.is_expired).toBe(1);
  await page.goto("/dashboard");
  await expect(page.getByRole("listitem").filter({ hasText: "short-lived.txt" })).toContainText("Expired");
});
