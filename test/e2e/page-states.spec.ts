import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { chooseFileOfSize, chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpByApi } from "./support/accounts.ts";
import { pdfFile } from "./support/sample-files.ts";
import { uploadByApi } from "./support/sharing.ts";

test.slow();

/** Name, path and heading. */
const PAGES = [
  ["pricing", "/pricing", "Send more. Keep it longer."],
  ["features", "/features", "Everything a file needs on its way"],
  ["about", "/about", "About"],
  ["contact", "/contact", "Contact"],
  ["privacy", "/privacy", "Privacy Policy"],
  ["terms", "/terms", "Terms of Service"],
  ["chunked", "/chunked-upload", "Large File Upload"],
  ["direct", "/direct-upload", "Direct-to-S3 Upload"],
  ["email-diagnostic", "/email-diagnostic", ""],
  ["share", "/share", "Your file was not uploaded"],
  ["not-found", "/no/such/page", "Page Not Found"],
  ["download-not-found", "/download/AAAAAAAAAAAAAAAAAAAAAA", "File Not Found"],
  ["request-not-found", "/r/AAAAAAAAAAAAAAAAAAAAAA", "No such link"],
  ["unsubscribe-unknown", "/unsubscribe/x", "This link is not valid"],
] as const;

for (const half of [0, 1]) {
  test(`every public page is accessible, narrow and wide, light and dark (${half + 1} of 2)`, async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/404/);
    for (const [name, path, heading] of PAGES.filter((_, index) => index % 2 === half)) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
      await expectAccessible(page, name);
    }
  });
}

test("a toast is accessible", async ({ page }) => {
  await signUpByApi(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/");
  await chooseFileOfSize(page, 600 * MIB);
  await expect(page.getByText("Could not upload file.", { exact: true })).toBeVisible();
  await expectAccessible(page, "home-toast");
});

test("the home page and the sign-in dialogs are accessible @everyday", async ({ page }) => {
  await page.goto("/");
  await expectAccessible(page, "home-choose");
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole("button", { name: "Menu" }).click();
  await expectAccessible(page, "home-menu");
  await page.goto("/register");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(dialog.getByText("Please enter a valid email address", { exact: true })).toBeVisible();
  await expectAccessible(page, "auth-register");
  await dialog.getByRole("tab", { name: "Log In" }).click();
  await expectAccessible(page, "auth-login");
  await dialog.getByRole("button", { name: "Forgot password?" }).click();
  await expectAccessible(page, "auth-reset");
});

test("the upload card in every state, and the link during the upload, are accessible", async ({
  page,
  context,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/403|404/);
  await signUp(page);
  await chooseFileOfSize(page, 150 * MIB);
  await expect(page.getByText("Large files on the default expiry")).toBeVisible();
  await expectAccessible(page, "home-confirm");
  await page.getByRole("button", { name: "Back" }).click();

  // Parts after the first are held back, so that the upload is under way.
  await context.route(/partNumber=[2-9]/, () => undefined);
  await page.reload();
  await chooseFile(page, await randomFile("states.bin", 40 * MIB));
  await expect(page.getByRole("progressbar")).not.toHaveAttribute("aria-valuenow", "0");
  await expectAccessible(page, "home-sending");
  const stranger = await openBrowser();
  await stranger.goto(await page.getByLabel("Share link").inputValue());
  await expect(stranger.getByRole("progressbar")).toBeVisible();
  await expectAccessible(stranger, "download-arriving");
  await page.getByRole("button", { name: "Cancel" }).click();
  await context.unroute(/partNumber=[2-9]/);

  await context.route("**/api/direct-upload/presigned-url", (route) =>
    route.fulfill({ status: 403, json: { message: "Not this one." } }),
  );
  await chooseFile(page, await randomFile("states.txt", 100));
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "home-failed");
  await context.unroute("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expectAccessible(page, "home-sent");
});

test("the download page, the dashboard, its dialogs and the account page are accessible", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/410/);
  await signUpByApi(page);
  await page.goto("/dashboard");
  await expect(page.getByText("You have no files yet.")).toBeVisible();
  await expectAccessible(page, "dashboard-empty");
  const id = await uploadByApi(page, { name: "plans.pdf", type: "application/pdf", body: pdfFile(2) });
  const gone = await uploadByApi(page, { name: "gone.txt", type: "text/plain", body: "gone" });
  await query(`update files set expires_at = ${Date.now() - 1000} where download_id = '${gone}'`);
  await page.reload();
  await expect(page.getByText("plans.pdf")).toBeVisible();
  await expectAccessible(page, "dashboard-list");
  await page.getByRole("button", { name: "Delete plans.pdf" }).click();
  await expectAccessible(page, "dashboard-delete");
  await page.keyboard.press("Escape");
  for (const item of ["Rename", "Change expiry", "QR code", "Send by email"]) {
    await fromMenu(page, item);
    await expectAccessible(page, `dashboard-${item.toLowerCase().replaceAll(" ", "-")}`);
    await page.keyboard.press("Escape");
  }
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page, "account");
  await page.goto("/account/security");
  await expect(page.getByText("(this session)")).toBeVisible();
  await expectAccessible(page, "account-security");
  await page.goto("/account/billing-history");
  await expectAccessible(page, "billing-history");

  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await expectAccessible(stranger, "download-ready");
  await stranger.goto(`/download/${gone}`);
  await expectAccessible(stranger, "download-expired");
});

async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More actions for plans.pdf" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}
