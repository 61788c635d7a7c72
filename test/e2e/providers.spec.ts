import type { Page } from "@playwright/test";
import { letConfirmationRunOut, logIn, PASSWORD, signUpByApi, whoIsIn } from "./support/accounts.ts";
import { setUpAppByApi } from "./support/authenticator-app.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { enterBy, newName, signInThere } from "./support/providers.ts";
import { uploadByApi } from "./support/sharing.ts";
import { expectToast } from "./support/waiting.ts";

/** Somebody with a password who has proved their address. */
async function memberNamed(page: Page, name: string): Promise<string> {
  const email = await signUpByApi(page, `${name}@example.com`);
  await query(`update users set is_verified = 1 where email = '${email}'`);
  return email;
}

test("a provider makes an account, and signs in to it again", async ({ page, openBrowser }) => {
  const name = newName();
  await enterBy(page, "The club", name);
  await expect(page).toHaveURL("/dashboard");
  const first = await whoIsIn(page);
  // This provider is not trusted to prove addresses.
  expect(first).toMatchObject({ email: `${name}@example.com`, isVerified: false });

  const other = await openBrowser();
  await enterBy(other, "The club", name);
  await expect(other).toHaveURL("/dashboard");
  expect(await whoIsIn(other)).toMatchObject({ id: first?.id });
});

test("a sign-in from the dialog of a download page comes back there", async ({ page, openBrowser }) => {
  const owner = await openBrowser();
  await signUpByApi(owner);
  const downloadId = await uploadByApi(owner, { name: "notes.txt", type: "text/plain", body: "notes" });
  await page.goto(`/download/${downloadId}`);
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Continue with Work" }).click();
  await signInThere(page, newName());
  await expect(page).toHaveURL(`/download/${downloadId}`);
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
});

test("the page that a sign-in is for is kept on the way to a provider", async ({ page }) => {
  await enterBy(page, "Work", newName(), "/login?returnTo=/account/security");
  await expect(page).toHaveURL("/account/security");
});

test("an address with an account is told to sign in and connect, which the Security tab does", async ({
  page,
  openBrowser,
}) => {
  const name = newName();
  const email = await memberNamed(await openBrowser(), name);
  await enterBy(page, "The club", name);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toHaveText(
    "There is an account with this address. Sign in to it, and connect the provider on its Security tab.",
  );
  await expect(page).toHaveURL("/");
  expect(await whoIsIn(page)).toBeNull();
  await logIn(page, email);
  await expect(dialog).toBeHidden();

  await page.goto("/account/security");
  await page.getByRole("button", { name: "Connect The club", exact: true }).click();
  // The provider still knows the person.
  await expect(page.getByRole("button", { name: "Disconnect The club" })).toBeVisible();
  await expect(page.getByText("Connected a provider")).toBeVisible();
  const other = await openBrowser();
  await enterBy(other, "The club", name);
  expect(await whoIsIn(other)).toMatchObject({ email });

  await page.getByRole("button", { name: "Disconnect The club" }).click();
  await page
    .getByRole("dialog", { name: "Disconnect The club?" })
    .getByRole("button", { name: "Disconnect", exact: true })
    .click();
  await expect(page.getByRole("button", { name: "Connect The club", exact: true })).toBeVisible();
  await other.context().clearCookies();
  await enterBy(other, "The club", name);
  await expect(other.getByRole("dialog").getByRole("alert")).toContainText("There is an account with this address.");
});

test("a provider that is trusted with addresses connects at once", async ({ page, openBrowser }) => {
  const name = newName();
  const email = await memberNamed(await openBrowser(), name);
  await enterBy(page, "Work", name);
  await expect(page).toHaveURL("/dashboard");
  expect(await whoIsIn(page)).toMatchObject({ email });
});

test("an address that the provider has not verified gets in nowhere", async ({ page }) => {
  await enterBy(page, "Work", `unverified-${newName()}`);
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText(
    "The provider did not confirm who you are. Please try again.",
  );
  expect(await whoIsIn(page)).toBeNull();
});

test("connecting asks who it is when the confirmation has run out", async ({ page, expectErrors }) => {
  const name = newName();
  const email = await memberNamed(page, name);
  await letConfirmationRunOut(email);
  expectErrors(/403/);
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Connect Work" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await signInThere(page, newName());
  await expect(page.getByRole("button", { name: "Disconnect Work" })).toBeVisible();
});

test("somebody's sign-in at a provider connects to one account alone", async ({ page, openBrowser }) => {
  const name = newName();
  await enterBy(await openBrowser(), "The club", name);
  await memberNamed(page, newName());
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Connect The club", exact: true }).click();
  await signInThere(page, name);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "This sign-in is connected to another account already.",
  );
  await expect(page).toHaveURL("/account/security");
});

test("with an authenticator app, the provider's sign-in goes on to the second step", async ({ page, openBrowser }) => {
  const name = newName();
  const owner = await openBrowser();
  const email = await memberNamed(owner, name);
  const { recoveryCodes } = await setUpAppByApi(owner, email);
  await enterBy(page, "Work", name, "/login?returnTo=/account/security");
  const dialog = page.getByRole("dialog", { name: "One more step" });
  await dialog.getByRole("button", { name: "Use a recovery code instead" }).click();
  await dialog.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/account/security");
  expect(await whoIsIn(page)).toMatchObject({ email });
});

test("somebody who came by a provider sets a first password", async ({ page }) => {
  await enterBy(page, "The club", newName());
  await page.goto("/account/security");
  await expect(page.getByRole("heading", { name: "Set a password" })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm new password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await expectToast(page, "Password set", "You have been logged out on all other devices.");
  await expect(page.getByLabel("Current password")).toBeVisible();
});

test("a list of providers that did not arrive can be loaded again", async ({ page, expectErrors }) => {
  expectErrors(/503/);
  await signUpByApi(page);
  await page.route("**/api/auth/providers", (route) => route.fulfill({ status: 503, json: { message: "Not now." } }));
  await page.goto("/account/security");
  const notice = page.getByRole("alert").filter({ hasText: "Not now." });
  await expect(notice).toBeVisible();
  await page.unroute("**/api/auth/providers");
  await notice.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Connect The club", exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
});
