import { MIB } from "#domain/units.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sparseFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { register, signUp } from "./support/accounts.ts";

test("a visitor's file is uploaded after registration, with the chosen expiration [AUTH-2, AUTH-12, UP-2, UP-11, UP-12, UP-15]", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByLabel("Link expires after").selectOption("6h");
  await chooseFile(page, await randomFile("waiting.txt", 10));
  await expect(page.getByRole("dialog")).toContainText("Your file (10 Bytes) will be uploaded right after this.");
  await expect(page.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");

  const started = page.waitForRequest("**/api/direct-upload/presigned-url");
  await register(page);
  expect((await started).postDataJSON()).toMatchObject({
    filename: "waiting.txt",
    expiration: "6h",
    expirationChosen: true,
  });
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
});

test("the card uploads a file and offers the next; the dashboard lists and deletes it [DASH-2, DASH-3, NAV-10, NAV-11, UP-3, UP-4, UP-5, UP-7, UP-8, UP-10] @everyday", async ({
  page,
  context,
  expectErrors,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page);
  await expect(page.getByLabel("Link expires after")).toHaveValue("3d");
  const sevenDays = page.getByRole("option", { name: "7 days — Professional plan" });
  await expect(sevenDays).toBeDisabled();
  await page.getByLabel("Choose a file").focus();
  await chooseFile(page, await randomFile("notes.txt", 2000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(page.locator(":focus")).toContainText("Ready to share");
  await expect(page.getByText("notes.txt · 1.95 KB")).toBeVisible();
  await expect(page.getByText(/^Expires /)).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy" }).click();
  await expect.poll(readClipboard).toBe(link);
  await page.getByRole("button", { name: "Upload Another File" }).click();
  await expect(page.getByLabel("Choose a file")).toBeFocused();

  await page.getByRole("link", { name: "Dashboard" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "notes.txt" });
  await expect(row).toContainText("1.95 KB");
  await page.evaluate(() => navigator.clipboard.writeText("something else"));
  await row.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(readClipboard).toBe(link);
  await row.getByRole("button", { name: "Delete notes.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep file" }).click();
  await expect(row).toBeVisible();
  await row.getByRole("button", { name: "Delete notes.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("You have no files yet.")).toBeVisible();
  expectErrors(/410/);
  expect((await page.goto(link))?.status()).toBe(410);
});

test("a click on the card opens the chooser of one or several files [UP-3]", async ({ page }) => {
  await signUp(page);
  const path = await randomFile("clicked.txt", 10);
  for (const target of [
    page.getByText("Choose a file, or drop it here"),
    page.getByText("Up to 500 MB", { exact: true }),
  ]) {
    const opened = page.waitForEvent("filechooser");
    await target.click();
    const chooser = await opened;
    expect(chooser.isMultiple()).toBe(true);
    await chooser.setFiles(path);
    await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
    await expect(page.getByText("clicked.txt · 10 Bytes")).toBeVisible();
    await page.getByRole("button", { name: "Upload Another File" }).click();
  }
});

test("a large file with a chosen expiration of 3 days is kept for 3 days, not for hours [DEC-8]", async ({ page }) => {
  await signUp(page);
  await chooseFile(page, await sparseFile("chosen-3-days.bin", 101 * MIB));
  const notice = "Large files on the default expiry are kept for 2 hours. Choose an expiry to change this.";
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  const expiry = page.getByLabel("Link expires after");
  await expect(expiry.locator("option:checked")).toHaveText("Automatic (2 hours)");
  await expiry.selectOption("3 days");
  await expect(page.getByText(notice)).toHaveCount(0);
  await page.route(/partNumber=/, () => undefined);
  const started = page.waitForResponse("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const answer = await started;
  expect(answer.request().postDataJSON()).toMatchObject({ expiration: "3d", expirationChosen: true });
  const { expiresAt } = (await answer.json()) as { expiresAt: string };
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)).toBe(72);
  await page.getByRole("button", { name: "Cancel" }).click();
});

test("cancel stops at once and releases the quota, and the same file can be chosen again [ERR-22, UP-6, UP-9]", async ({
  page,
  context,
}) => {
  await signUp(page);
  const path = await randomFile("cancelled.bin", 40 * MIB);
  // Holds all parts but the first, so that the upload is running when it is cancelled.
  await context.route(/partNumber=[2-9]/, () => undefined);
  await chooseFile(page, path);
  await expect(page.getByRole("progressbar")).not.toHaveAttribute("aria-valuenow", "0");
  const cancelled = page.waitForResponse("**/api/direct-upload/cancel");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  expect((await cancelled).status()).toBe(200);
  await expect(page.getByText("Upload aborted", { exact: true })).toBeVisible();

  await context.unroute(/partNumber=[2-9]/);
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
});

test("the card shows the server's error and accepts another file [ERR-20, UP-9]", async ({ page, expectErrors }) => {
  const email = await signUp(page);
  await query(`update users set monthly_transfer_count = 20 where email = '${email}'`);
  expectErrors(/403/);
  await chooseFile(page, await randomFile("too-much.bin", 10));
  await expect(page.getByText("Storage limit exceeded", { exact: true })).toBeVisible();
  const reason = "This file exceeds your plan's storage limit. You have used all 20 transfers for this month.";
  await expect(page.getByText(reason, { exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("too-much.bin was not uploaded.");
  await expect(page.getByLabel("Choose a file")).toBeAttached();
});

test("a file dropped on the card is uploaded [UP-3]", async ({ page }) => {
  await signUp(page);
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
    return transfer;
  });
  await page.getByText("Choose a file, or drop it here").dispatchEvent("drop", { dataTransfer: data });
  await expect(page.getByText("dropped.txt · 7 Bytes")).toBeVisible();
});
