import type { BrowserContext, Page } from "@playwright/test";
import { choose, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUpQuietly } from "./support/accounts.ts";

const REMINDER = "Choose your file (2 KB) once more to upload it.";

/** Chooses a file of 2 KB on the chunked page, signed out, and goes on to the login dialog. */
async function leaveForLogin(page: Page, path: string): Promise<void> {
  await page.goto("/chunked-upload");
  await choose(page, path);
  await page.getByRole("dialog", { name: "Login Required" }).getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("dialog")).toContainText("Your file (2 KB) goes up right after this.");
}

/** A later login in the same tab, whose session has ended meanwhile, knows of no file, nor does the page it came from. */
async function expectForgotten(page: Page, context: BrowserContext): Promise<void> {
  await page.goto("/chunked-upload");
  await expect(page.getByText("Free account limit")).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await context.clearCookies();
  await page.goto("/login");
  await expect(page.getByRole("dialog")).toContainText("Mayfly needs an account to know whose files are whose.");
  expect(await page.evaluate(() => sessionStorage.getItem("pending-file"))).toBeNull();
}

test("the note of a file that waits goes when the file has been chosen again", async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await signUpQuietly(await openBrowser());
  const path = await randomFile("chosen-again.bin", 2048);
  await leaveForLogin(page, path);
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.route("**/api/chunked-upload/init", () => undefined);
  await choose(page, path);
  await expect(page.getByRole("button", { name: "Cancel Upload" })).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel Upload" }).click();
  await expectForgotten(page, context);
});

test("the note of a file that waits goes when a file has gone up, without being chosen again", async ({
  page,
  context,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/401/);
  const email = await signUpQuietly(await openBrowser());
  const path = await randomFile("gone-up.bin", 2048);
  // Signed in when the file was chosen, and not any more when it was to go up.
  await signUpQuietly(page);
  await page.goto("/chunked-upload");
  await context.clearCookies();
  await choose(page, path);
  await page.getByRole("dialog", { name: "Login Required" }).getByRole("button", { name: "Login" }).click();
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  await expect(page.getByText(REMINDER)).toHaveCount(0);
  await expectForgotten(page, context);
});

test("the note of a file that waits goes when the tab signs in without it", async ({ page, context, openBrowser }) => {
  const email = await signUpQuietly(await openBrowser());
  await leaveForLogin(page, await randomFile("without-it.bin", 2048));
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("dialog")).toContainText("Mayfly needs an account to know whose files are whose.");
  await logIn(page, email);
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await expectForgotten(page, context);
});

test("the note of a file that waits is not read again at a later login, though the file was never chosen", async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await signUpQuietly(await openBrowser());
  await leaveForLogin(page, await randomFile("never-chosen.bin", 2048));
  await logIn(page, email);
  await expect(page.getByText(REMINDER)).toBeVisible();
  await page.reload();
  await expect(page.getByText(REMINDER)).toBeVisible();
  await context.clearCookies();
  await page.goto("/login");
  await expect(page.getByRole("dialog")).toContainText("Mayfly needs an account to know whose files are whose.");
});
