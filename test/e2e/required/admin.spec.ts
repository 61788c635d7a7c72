import { generateSync } from "otplib";
import { PASSWORD } from "../support/accounts.ts";
import { becomeAdministrator, codeField } from "../support/admin-factor.ts";
import { ADMIN, submitLogin } from "../support/admin.ts";
import { setUpAppByApi } from "../support/authenticator-app.ts";
import { expect, test } from "../support/fixtures.ts";

test("the administrator of the settings shows the code of ADMIN_TOTP_SECRET [ADM-46] @everyday", async ({ page }) => {
  await page.goto("/admin");
  await submitLogin(page, ADMIN.username, ADMIN.password);
  await expect(page.getByText("One more step: show your second factor.")).toBeVisible();
  await expect(page.getByRole("button", { name: /passkey/ })).toHaveCount(0);
  await page.getByLabel(codeField).fill(generateSync({ secret: process.env.E2E_ADMIN_TOTP_SECRET ?? "" }));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/admin/dashboard");
  await expect(page.getByText(`Logged in as ${ADMIN.username}`)).toBeVisible();
});

test("an administrator without a second factor is sent to set one up [ADM-39]", async ({
  page,
  baseURL,
  expectErrors,
}) => {
  expectErrors(/403/);
  const { email } = await becomeAdministrator(page, baseURL);
  await page.goto("/admin");
  await submitLogin(page, email, PASSWORD);
  const notice = page.getByRole("alert").filter({ hasText: "Administrators need a second factor here." });
  await notice.getByRole("link", { name: "Set one up in your account" }).click();
  await expect(page).toHaveURL("/account/security");
  await expect(page.getByRole("button", { name: "Set up an app" })).toBeVisible();

  const { secret } = await setUpAppByApi(page, email, baseURL);
  await page.goto("/admin");
  await submitLogin(page, email, PASSWORD);
  await page.getByLabel(codeField).fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/admin/dashboard");
});
