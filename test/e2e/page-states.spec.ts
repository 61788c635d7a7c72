import type { Page } from "@playwright/test";
import { inspect } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { announce, choose, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpQuietly } from "./support/accounts.ts";
import { pdfFile } from "./support/sample-files.ts";
import { share } from "./support/sharing.ts";

test.slow();

const MIB = 1024 * 1024;

/** The pages that anybody may open, and what shows that they are there. */
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
  ["share", "/share", "Your file is still with you"],
  ["not-found", "/no/such/page", "Page Not Found"],
  ["download-not-found", "/download/AAAAAAAAAAAAAAAAAAAAAA", "File Not Found"],
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
      await inspect(page, name);
    }
  });
}

test("so is a toast", async ({ page }) => {
  await signUpQuietly(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/");
  await announce(page, 600 * MIB);
  await expect(page.getByText("Could not upload file.", { exact: true })).toBeVisible();
  await inspect(page, "home-toast");
});

test("so are the home page and the ways to sign in", async ({ page }) => {
  await page.goto("/");
  await inspect(page, "home-choose");
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole("button", { name: "Menu" }).click();
  await inspect(page, "home-menu");
  await page.goto("/register");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(dialog.getByText("Please enter a valid email address", { exact: true })).toBeVisible();
  await inspect(page, "auth-register");
  await dialog.getByRole("tab", { name: "Log In" }).click();
  await inspect(page, "auth-login");
  await dialog.getByRole("button", { name: "Forgot password?" }).click();
  await inspect(page, "auth-reset");
});

test("so is the upload card from the choice to the link, and the link while the file arrives", async ({
  page,
  context,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/403|404/);
  await signUp(page);
  await announce(page, 150 * MIB);
  await expect(page.getByText("Large files on the default expiry")).toBeVisible();
  await inspect(page, "home-confirm");
  await page.getByRole("button", { name: "Back" }).click();

  // Parts after the first are held back, so that the upload is under way.
  await context.route(/partNumber=[2-9]/, () => undefined);
  await page.reload();
  await choose(page, await randomFile("states.bin", 40 * MIB));
  await expect(page.getByRole("progressbar")).not.toHaveAttribute("aria-valuenow", "0");
  await inspect(page, "home-sending");
  const stranger = await openBrowser();
  await stranger.goto(await page.getByLabel("Share link").inputValue());
  await expect(stranger.getByRole("progressbar")).toBeVisible();
  await inspect(stranger, "download-arriving");
  await page.getByRole("button", { name: "Cancel" }).click();
  await context.unroute(/partNumber=[2-9]/);

  await context.route("**/api/direct-upload/presigned-url", (route) =>
    route.fulfill({ status: 403, json: { message: "Not this one." } }),
  );
  await choose(page, await randomFile("states.txt", 100));
  await expect(page.getByRole("alert")).toBeVisible();
  await inspect(page, "home-failed");
  await context.unroute("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await inspect(page, "home-sent");
});

test("so are the download page, the dashboard, its dialogs and the account", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/410/);
  await signUpQuietly(page);
  await page.goto("/dashboard");
  await expect(page.getByText("Nothing here yet.")).toBeVisible();
  await inspect(page, "dashboard-empty");
  const id = await share(page, { name: "plans.pdf", type: "application/pdf", body: pdfFile(2) });
  const gone = await share(page, { name: "gone.txt", type: "text/plain", body: "gone" });
  await query(`update files set expires_at = ${Date.now() - 1000} where download_id = '${gone}'`);
  await page.reload();
  await expect(page.getByText("plans.pdf")).toBeVisible();
  await inspect(page, "dashboard-list");
  await page.getByRole("button", { name: "Delete plans.pdf" }).click();
  await inspect(page, "dashboard-delete");
  await page.keyboard.press("Escape");
  for (const item of ["Rename", "Change expiry", "QR code", "Send by e-mail"]) {
    await fromMenu(page, item);
    await inspect(page, `dashboard-${item.toLowerCase().replaceAll(" ", "-")}`);
    await page.keyboard.press("Escape");
  }
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await inspect(page, "account");
  await page.goto("/account/billing-history");
  await inspect(page, "billing-history");

  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await inspect(stranger, "download-ready");
  await stranger.goto(`/download/${gone}`);
  await inspect(stranger, "download-expired");
});

async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More for plans.pdf" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}
