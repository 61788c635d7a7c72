import type { BrowserContext, Page } from "@playwright/test";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUpByApi } from "./support/accounts.ts";

const REMINDER = "Choose your file (2 KB) again to upload it.";

/** Chooses a file of 2 KB on the chunked page as a visitor, and opens the login dialog. */
async function leaveForLogin(page: Page, path: string): Promise<void> {
  await page.goto("/chunked-upload");
  await chooseFile(page, path);
  await page.getByRole("dialog", { name: "Login Required" }).getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("dialog")).toContainText("Your file (2 KB) will be uploaded right after this.");
}

/** Neither the page nor a later login in the same tab mentions the file. */
async function expectForgotten(page: Page, context: BrowserContext): Promise<void> {
  await page.goto("/chunked-upload");
  await expect(page.getByText("Free account limit")).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await context.clearCookies();
  await page.goto("/login");
  await expect(page.getByRole("dialog")).toContainText(
    "With a Mayfly account you can manage your files: see, change and delete them later.",
  );
  expect(await page.evaluate(() => sessionStorage.getItem("pending-file"))).toBeNull();
}

test("the reminder of a pending file disappears when the file is chosen again [NAV-26]", async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await signUpByApi(await openBrowser());
  const path = await randomFile("chosen-again.bin", 2048);
  await leaveForLogin(page, path);
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.route("**/api/chunked-upload/init", () => undefined);
  await chooseFile(page, path);
  await expect(page.getByRole("button", { name: "Cancel Upload" })).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel Upload" }).click();
  await expectForgotten(page, context);
});

test("the reminder of a pending file disappears when a retry has uploaded the file [NAV-26]", async ({
  page,
  context,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/401/);
  const email = await signUpByApi(await openBrowser());
  const path = await randomFile("uploaded.bin", 2048);
  // The session ends between opening the page and choosing the file.
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  await context.clearCookies();
  await chooseFile(page, path);
  await page.getByRole("dialog", { name: "Login Required" }).getByRole("button", { name: "Login" }).click();
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await expectForgotten(page, context);
});

test("the reminder of a pending file disappears when the tab signs in for another reason [NAV-26]", async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await signUpByApi(await openBrowser());
  await leaveForLogin(page, await randomFile("without-it.bin", 2048));
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("dialog")).toContainText(
    "With a Mayfly account you can manage your files: see, change and delete them later.",
  );
  await logIn(page, email);
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await expectForgotten(page, context);
});

test("a later login in the tab does not mention a pending file that was never chosen again", async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await signUpByApi(await openBrowser());
  await leaveForLogin(page, await randomFile("never-chosen.bin", 2048));
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.reload();
  await expect(page.getByText(REMINDER)).toBeVisible();
  await context.clearCookies();
  await page.goto("/login");
  await expect(page.getByRole("dialog")).toContainText(
    "With a Mayfly account you can manage your files: see, change and delete them later.",
  );
});
