import type { Page } from "@playwright/test";
import { generateSync } from "otplib";
import { letConfirmationRunOut, logIn, signUpByApi } from "./support/accounts.ts";
import { letCodeWorkAgain } from "./support/authenticator-app.ts";
import { expect, test } from "./support/fixtures.ts";

/** Sets an app up on the Security tab. @returns its secret and the recovery codes */
async function setUpApp(page: Page, email: string): Promise<{ secret: string; codes: string[] }> {
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Set up an app" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = await page.getByLabel("Key", { exact: true }).inputValue();
  await expect(page.getByLabel("Code from your authenticator app")).toBeFocused();
  await page.keyboard.type(generateSync({ secret }));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeFocused();
  const shown = page.getByRole("region", { name: "Your recovery codes" });
  await expect(shown.getByRole("listitem")).toHaveCount(10);
  const codes = await shown.getByRole("listitem").allInnerTexts();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make new recovery codes" })).toBeFocused();
  await letCodeWorkAgain(email);
  return { secret, codes };
}

test("an authenticator app is set up, and asked for at the next sign-in [AUTH-37] @everyday", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await signUpByApi(page);
  const { secret } = await setUpApp(page, email);
  await page.reload();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();

  const other = await openBrowser();
  expectErrors(/401/);
  await other.goto("/login?returnTo=/account/security");
  await logIn(other, email);
  const dialog = other.getByRole("dialog");
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
  await logIn(other, email);
  const field = dialog.getByLabel("Code from your authenticator app");
  await field.fill("12345");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(field).toHaveAccessibleDescription("This code is not right, or has been used.");
  await field.fill(generateSync({ secret }));
  await dialog.getByLabel("Do not ask for a code on this device for 30 days").check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
  await expect(other.getByText(/^Is not asked for a code until \w+ \d+, \d{4}/)).toHaveCount(1);
});

test("a recovery code signs in, and the app can be removed then", async ({ page, openBrowser }) => {
  const email = await signUpByApi(page);
  const { codes } = await setUpApp(page, email);
  const other = await openBrowser();
  await other.goto("/login?returnTo=/account/security");
  await logIn(other, email);
  const dialog = other.getByRole("dialog");
  await dialog.getByRole("button", { name: "Use a recovery code instead" }).click();
  await dialog.getByLabel("Recovery code").fill(codes[0] ?? "");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByText("9 recovery codes are left.")).toBeVisible();
  await other.getByRole("button", { name: "Remove the app" }).click();
  const question = other.getByRole("dialog", { name: "Remove the authenticator app?" });
  await expect(question).toContainText("Your recovery codes stop working.");
  await question.getByRole("button", { name: "Remove the app" }).click();
  await expect(other.getByRole("button", { name: "Set up an app" })).toBeFocused();
});

test("the dialog that confirms asks for a code where an app is set up", async ({ page, expectErrors }) => {
  const email = await signUpByApi(page);
  const { secret } = await setUpApp(page, email);
  await letConfirmationRunOut(email);
  expectErrors(/403/);
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  await page
    .getByRole("dialog", { name: "Make new recovery codes?" })
    .getByRole("button", { name: "Make new codes" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Your password")).toHaveCount(0);
  await dialog.getByLabel("Code from your authenticator app").fill(generateSync({ secret }));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("region", { name: "Your recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeFocused();
});
