import type { Page } from "@playwright/test";
import { letConfirmationRunOut, logIn, signUpByApi, whoIsIn } from "./support/accounts.ts";
import { setUpAppByApi } from "./support/authenticator-app.ts";
import { VirtualAuthenticator } from "./support/authenticator.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMail } from "./support/mailbox.ts";
import { expectToast } from "./support/waiting.ts";

/** Adds a passkey on the Security tab. Autofill must not use it before a test wants that. */
async function addPasskey(page: Page, name: string, known?: VirtualAuthenticator): Promise<VirtualAuthenticator> {
  const authenticator = known ?? (await VirtualAuthenticator.attach(page));
  await authenticator.setPresence(true);
  await page.goto("/account/security");
  await fillPasskeyIn(page, name);
  await expect(page.getByRole("button", { name: `Rename ${name}` })).toBeVisible();
  await authenticator.setPresence(false);
  return authenticator;
}

async function fillPasskeyIn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Go on" }).click();
}

async function removePasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
}

/** Without autofill, which would answer before the button is pressed. */
async function openLogin(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await page.context().clearCookies();
  await page.goto("/login?returnTo=/account/security");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Use a passkey" })).toBeVisible();
}

async function pressPasskey(page: Page, authenticator: VirtualAuthenticator): Promise<void> {
  await authenticator.setPresence(true);
  await page.getByRole("dialog").getByRole("button", { name: "Use a passkey" }).click();
}

test("a passkey is added, signs in without a password, and is renamed [PKEY-1] @everyday", async ({ page }) => {
  const email = await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  expect(await authenticator.passkeys()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
  await openLogin(page);
  await pressPasskey(page, authenticator);
  await expect(page.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText(email)).toBeVisible();

  await page.getByRole("button", { name: "Rename My laptop" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename the passkey" });
  await dialog.getByLabel("Name").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription("Give the passkey a name.");
  await dialog.getByLabel("Name").fill("Old laptop");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Rename Old laptop" })).toBeVisible();
});

test("the browser offers a passkey where it fills the address in [PKEY-9]", async ({ page }) => {
  await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await page.context().clearCookies();
  await authenticator.setPresence(true);
  await page.goto("/login?returnTo=/account/security");
  await expect(page.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
});

test("without verification nobody is signed in, and the password still works [PKEY-2]", async ({ page }) => {
  await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await authenticator.setUserVerified(false);
  await openLogin(page);
  await pressPasskey(page, authenticator);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Use a passkey" })).toBeEnabled();
  await expect(dialog.getByLabel("Password", { exact: true })).toBeVisible();
  expect(await whoIsIn(page)).toBeNull();
});

test("a removed passkey leaves the password manager and the list [PKEY-7]", async ({ page }) => {
  await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await removePasskey(page, "My laptop");
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Passkeys", exact: true })).toBeFocused();
  await expect.poll(async () => (await authenticator.passkeys()).length).toBe(0);
});

test("a passkey that the server does not know is refused in words", async ({ page, expectErrors }) => {
  expectErrors(/401/);
  const email = await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await query(`delete from passkeys where user_id = (select id from users where email = '${email}')`);
  await openLogin(page);
  await pressPasskey(page, authenticator);
  await expectToast(page, "Login failed", "This passkey is not known here. Sign in another way, and add it again.");
});

test("a passkey whose counter went back is refused, and its owner is told [PKEY-4]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/403/);
  const email = await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await query(`update passkeys set counter = 1000 where user_id = (select id from users where email = '${email}')`);
  await openLogin(page);
  await pressPasskey(page, authenticator);
  await expectToast(
    page,
    "Login failed",
    "This passkey may have been copied, so we refused it. Sign in another way, and see our mail.",
  );
  expect(await findMail(await openBrowser(), email, /was refused/)).toContain("“My laptop”");
});

test("a passkey confirms, and the call goes on by itself [PKEY-8]", async ({ page, expectErrors }) => {
  expectErrors(/403/);
  const email = await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await letConfirmationRunOut(email);
  await removePasskey(page, "My laptop");
  await authenticator.setPresence(true);
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
});

test("a device has one passkey of an account, and says so", async ({ page }) => {
  await signUpByApi(page);
  const authenticator = await addPasskey(page, "My laptop");
  await authenticator.setPresence(true);
  await fillPasskeyIn(page, "My laptop again");
  // The dialog stays open, which hides what is outside it from roles.
  const shown = page.getByText("This device has a passkey for your account already.", { exact: true });
  await expect(shown.first()).toBeVisible();
  expect(await authenticator.passkeys()).toHaveLength(1);
});

test("two accounts have passkeys on one device, and removing one leaves the other", async ({ page }) => {
  const emails = [await signUpByApi(page)];
  const authenticator = await addPasskey(page, "My laptop");
  await page.context().clearCookies();
  emails.push(await signUpByApi(page));
  await addPasskey(page, "My laptop", authenticator);
  expect(await authenticator.passkeys()).toHaveLength(2);

  // The authenticator chooses; the person would.
  const entered: (string | undefined)[] = [];
  for (const left of [1, 0]) {
    await openLogin(page);
    await pressPasskey(page, authenticator);
    await expect(page.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
    entered.push((await whoIsIn(page))?.email);
    await removePasskey(page, "My laptop");
    await expect(page.getByText("No passkeys yet.")).toBeVisible();
    await expect.poll(async () => (await authenticator.passkeys()).length).toBe(left);
  }
  expect(entered.sort()).toEqual(emails.sort());
});

test("a passkey is the second step after a password", async ({ page }) => {
  const email = await signUpByApi(page);
  await setUpAppByApi(page, email);
  const authenticator = await addPasskey(page, "My laptop");
  await openLogin(page);
  await logIn(page, email);
  const dialog = page.getByRole("dialog", { name: "One more step" });
  await expect(dialog.getByLabel("Code from your authenticator app")).toBeFocused();
  expect(await whoIsIn(page)).toBeNull();
  await authenticator.setPresence(true);
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
  expect(await whoIsIn(page)).toMatchObject({ email });
});

test("a passkey that the second step refuses is named above its button", async ({ page, expectErrors }) => {
  expectErrors(/403/);
  const email = await signUpByApi(page);
  await setUpAppByApi(page, email);
  const authenticator = await addPasskey(page, "My laptop");
  await query(`update passkeys set counter = 1000 where user_id = (select id from users where email = '${email}')`);
  await openLogin(page);
  await logIn(page, email);
  const dialog = page.getByRole("dialog", { name: "One more step" });
  await authenticator.setPresence(true);
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "This passkey may have been copied, so we refused it. Sign in another way, and see our mail.",
  );
  await expect(dialog.getByLabel("Code from your authenticator app")).toHaveAccessibleDescription("");
  expect(await whoIsIn(page)).toBeNull();
});
