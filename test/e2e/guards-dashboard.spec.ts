import type { Locator, Page } from "@playwright/test";
import { newEmail, PASSWORD, signUp, signUpByApi } from "./support/accounts.ts";
import { openAdmin } from "./support/admin.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { download, limitField, passwordField, seenByStranger, unlock } from "./support/guarded-links.ts";
import { expectToast } from "./support/plans.ts";
import { uploadTransferByApi } from "./support/transfers.ts";

const FILES = [{ path: "plan.txt", body: "the plan" }];

const row = (page: Page, name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Protect the link" });

async function openDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Protect the link" }).click();
  return dialogOf(page);
}

test("a password is set, changed and removed, and each change that costs somebody something is asked about [GRD-5]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  const { downloadId } = await uploadTransferByApi(page.request, FILES, { title: "Plan" });
  await page.goto("/dashboard");

  const dialog = await openDialog(page, "Plan");
  await expect(dialog).toContainText("Who may open the link to Plan, and how often.");
  await passwordField(dialog).fill("12345");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(passwordField(dialog)).toBeFocused();
  await expect(dialog.getByText("The link's password needs 6 to 128 characters.")).toBeVisible();
  await expectAccessible(page, "guards-dialog-wrong");
  await passwordField(dialog).fill("123456");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Protection changed", "It holds from now on.");
  await expect(row(page, "Plan").getByText("Protected with a password")).toBeAttached();
  expect(await seenByStranger(stranger, downloadId)).toEqual([401, "LINK_LOCKED"]);

  await openDialog(page, "Plan");
  await expectAccessible(page, "guards-dialog-password");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("New password")).toBeFocused();
  await dialog.getByLabel("New password").fill("654321");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("group", { name: "Change the protection?" })).toBeFocused();
  await expectAccessible(page, "guards-dialog-question");
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(dialog.getByLabel("New password")).toHaveValue("654321");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await unlock(stranger, downloadId, "123456")).toBe(403);
  expect(await unlock(stranger, downloadId, "654321")).toBe(200);

  await openDialog(page, "Plan");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(dialog).toContainText("The password is removed when you save.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Without the password, everyone who has the link can open it.");
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, "Plan").getByText("Protected with a password")).toHaveCount(0);
  const { request: other } = await openBrowser();
  expect((await seenByStranger(other, downloadId))[0]).toBe(200);
});

test("a limit counts down, ends the link, and a higher one opens it again [GRD-6]", async ({ page, openBrowser }) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  const { downloadId } = await uploadTransferByApi(page.request, FILES, { title: "Plan", guards: { maxDownloads: 2 } });
  await download(stranger, downloadId);
  await page.goto("/dashboard");
  const plan = row(page, "Plan");
  await expect(plan.getByText("1 of 2 downloads", { exact: true })).toBeVisible();
  await expect(plan.getByText("1 of 2 downloads made")).toBeAttached();

  const dialog = await openDialog(page, "Plan");
  await expect(dialog).toContainText("1 of 2 downloads have been made.");
  await limitField(dialog).press("ArrowDown");
  await expect(limitField(dialog)).toHaveValue("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText(
    "1 download has been made already, so the link ends at once for everyone who has not begun.",
  );
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expectToast(page, "The link has ended");
  await expect(plan.getByText("Used up", { exact: true })).toBeVisible();
  await expectAccessible(page, "guards-list-used-up");
  const { request: other } = await openBrowser();
  expect(await seenByStranger(other, downloadId)).toEqual([410, "DOWNLOADS_USED_UP"]);

  await openDialog(page, "Plan");
  await expect(dialog).toContainText("The link is used up: 1 download has been made. A higher number opens it again.");
  await expectAccessible(page, "guards-dialog-used-up");
  await dialog.getByRole("button", { name: "One download more" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(plan.getByText("1 of 2 downloads", { exact: true })).toBeVisible();
  await download(other, downloadId);

  await openDialog(page, "Plan");
  await limitField(dialog).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(plan.getByText("Used up", { exact: true })).toHaveCount(0);
  const { request: last } = await openBrowser();
  expect((await last.get(`/api/files/download/${downloadId}/content`)).status()).toBe(200);
});

test("a link that waits for its owner says so, and is let go on [GRD-6]", async ({ page, openBrowser }) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  const { uploadId, downloadId } = await uploadTransferByApi(page.request, FILES, {
    title: "Plan",
    guards: { maxDownloads: 1 },
  });
  expect((await stranger.post(`/api/files/download/${downloadId}/take`)).status()).toBe(201);
  // Three downloads that broke off late, a quarter of an hour ago.
  let isWaiting = true;
  await page.route(`**/api/files/${uploadId}/guards`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), isWaiting } });
  });
  await page.goto("/dashboard");
  const plan = row(page, "Plan");
  await expect(plan.getByText("Waiting", { exact: true })).toBeVisible();
  await expectAccessible(page, "guards-list-waiting");
  const dialog = await openDialog(page, "Plan");
  await expect(dialog).toContainText("0 of 1 download has been made. 1 download is running now.");
  await expect(dialog).toContainText("The link waits for you");
  await expectAccessible(page, "guards-dialog-waiting");
  const changed = page.waitForRequest((request) => request.method() === "PATCH");
  isWaiting = false;
  await dialog.getByRole("button", { name: "Let it go on" }).click();
  expect((await changed).postDataJSON()).toEqual({ guards: { letGoOn: true } });
  await expectToast(page, "The link goes on", "It can be downloaded again.");
  await expect(dialog.getByText("The link waits for you")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(plan.getByText("Waiting", { exact: true })).toHaveCount(0);
});

test("a mail's address opens the dialog, after the login, and for a link that does not exist [GRD-7]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await signUpByApi(page, newEmail());
  const { uploadId } = await uploadTransferByApi(page.request, FILES, { title: "Plan", guards: { maxDownloads: 3 } });
  const other = await openBrowser();
  await other.goto(`/dashboard?guards=${uploadId}`);
  const login = other.getByRole("dialog");
  await login.getByLabel("Email").fill(email);
  await login.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await login.getByRole("button", { name: "Log In" }).click();
  await expect(dialogOf(other)).toContainText("Who may open the link to Plan, and how often.");
  await expect(limitField(dialogOf(other))).toHaveValue("3");
  await other.keyboard.press("Escape");
  await expect(dialogOf(other)).toHaveCount(0);
  await expect(other).toHaveURL(/\/dashboard$/);

  expectErrors(/404/);
  await page.goto("/dashboard?guards=00000000-0000-4000-8000-000000000000");
  await expect(dialogOf(page).getByRole("alert")).toBeVisible();
  await expectAccessible(page, "guards-dialog-gone");
});

test("the keyboard alone is enough [GRD-8]", async ({ page }) => {
  await signUp(page);
  await uploadTransferByApi(page.request, FILES, { title: "Plan" });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "More actions for Plan" }).focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: "Protect the link" });
  while (!(await item.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page);
  await expect(passwordField(dialog)).toBeFocused();
  await page.keyboard.type("by keyboard");
  for (const name of ["Show password", "Make one up", "Copy password", "One download fewer"]) {
    await page.keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name })).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(limitField(dialog)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(limitField(dialog)).toHaveValue("2");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More actions for Plan" })).toBeFocused();
  await expect(row(page, "Plan").getByText("0 of 2 downloads", { exact: true })).toBeVisible();
  await expect(row(page, "Plan").getByText("Protected with a password")).toBeAttached();
});

test("administrators see the guards of a link [GRD-8]", async ({ page, openBrowser }) => {
  const sender = await openBrowser();
  await signUpByApi(sender);
  const guards = { password: "a secret", maxDownloads: 3 };
  const { downloadId } = await uploadTransferByApi(sender.request, FILES, { title: "Plan", guards });
  await openAdmin(page, "?tab=reports");
  const found = page.getByRole("region", { name: "Find a file" });
  await found.getByLabel("Find a file").fill(downloadId);
  await expect(found.getByText("Protected with a password")).toBeAttached();
  await expect(found.getByText("0 of 3 downloads", { exact: true })).toBeVisible();
  await expectAccessible(page, "guards-admin");
});
