import type { Page } from "@playwright/test";
import { generateSync } from "otplib";
import { letConfirmationRunOut, newEmail, signUpByApi, whoIsIn } from "./support/accounts.ts";
import { setUpAppByApi } from "./support/authenticator-app.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMail, findMailedLink, firstLink } from "./support/mailbox.ts";

const LINK = /Sign in to/;
const LINK_OF_NEW_ACCOUNT = /^Your \w+ account/;

/** Asks for a mail in the dialog, and leaves the dialog open on the question for the code. */
async function askForMail(page: Page, email: string): Promise<void> {
  await page.goto("/login?returnTo=/account/security");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Email me a link" }).click();
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
  await dialog.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("dialog", { name: "Look at your mail" })).toBeVisible();
}

/** An account that has proved its address. */
async function confirmedAccount(page: Page): Promise<string> {
  const email = await signUpByApi(page);
  await query(`update users set is_verified = 1 where email = '${email}'`);
  return email;
}

const codeOf = (text: string) => /\d{4} \d{4}/.exec(text)?.[0] ?? "";
test("the link of a mail signs in with its button, and only once", async ({ page, openBrowser, expectErrors }) => {
  const email = await confirmedAccount(await openBrowser());
  await askForMail(page, email);
  const reader = await openBrowser();
  const link = await findMailedLink(reader, email, LINK);
  await reader.goto(link);
  await expect(reader).toHaveTitle(/^Sign in · /);
  await reader.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(reader).toHaveURL("/dashboard");
  expect(await whoIsIn(reader)).toMatchObject({ email });

  expectErrors(/400/);
  const other = await openBrowser();
  await other.goto(link);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other.getByRole("alert")).toContainText(
    "This link has already been used or has expired. Please request a new one.",
  );
  await other.getByRole("button", { name: "Get a new link" }).click();
  await expect(other.getByRole("dialog", { name: "Email me a link" }).getByLabel("Email")).toBeFocused();
  expect(await whoIsIn(other)).toBeNull();
});

test("a scanner that opens the link in every way but presses nothing changes nothing", async ({
  page,
  openBrowser,
}) => {
  const email = newEmail();
  await askForMail(page, email);
  const link = await findMailedLink(await openBrowser(), email, LINK_OF_NEW_ACCOUNT);
  const scanner = await openBrowser();
  const calls: string[] = [];
  scanner.on("request", (request) => {
    if (request.method() !== "GET") calls.push(`${request.method()} ${request.url()}`);
  });
  expect((await scanner.request.head(link)).status()).toBe(200);
  expect((await scanner.request.get(link)).status()).toBe(200);
  await scanner.goto(link);
  await scanner.getByRole("button", { name: "Sign in", exact: true }).hover();
  await scanner.reload();
  expect(calls).toEqual([]);
  expect(await whoIsIn(scanner)).toBeNull();
  expect(await query(`select id from users where email = '${email}'`)).toEqual([]);

  const reader = await openBrowser();
  await reader.goto(link);
  await reader.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(reader).toHaveURL("/dashboard");
  expect(await whoIsIn(reader)).toMatchObject({ email, isVerified: true });
});

test("the code of a mail signs in where it was asked for, after a wrong one", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await confirmedAccount(await openBrowser());
  await askForMail(page, email);
  const code = codeOf(await findMail(await openBrowser(), email, LINK));
  const field = page.getByRole("dialog").getByLabel("Code from the mail");
  const submit = page.getByRole("dialog").getByRole("button", { name: "Log In" });
  await field.fill("1234");
  await submit.click();
  await expect(field).toHaveAccessibleDescription("Please enter the eight digits of the code");
  expectErrors(/403/);
  await field.fill(code === "0000 0000" ? "1111 1111" : "0000 0000");
  await submit.click();
  await expect(field).toHaveAccessibleDescription(
    "This code is not right, has run out, or was used already. Ask for another mail if you are unsure.",
  );
  await field.fill(code);
  await submit.click();
  await expect(page).toHaveURL("/account/security");
  await expect(page.getByRole("heading", { name: "Security", exact: true })).toBeVisible();
});

test("another mail can be asked for, and another address", async ({ page, openBrowser }) => {
  const email = newEmail();
  await askForMail(page, newEmail());
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Nothing there? Look in the spam folder.")).toBeVisible();
  await dialog.getByRole("button", { name: "Use another address" }).click();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Send the link" }).click();
  const reader = await openBrowser();
  const first = await findMail(reader, email, LINK_OF_NEW_ACCOUNT);
  const again = dialog.getByRole("button", { name: "Send another mail" });
  await again.click();
  await expect(page.getByText("Another mail is on its way", { exact: true })).toBeVisible();
  await expect(again).toBeFocused();
  const second = await findMail(reader, email, LINK_OF_NEW_ACCOUNT, [first]);
  await dialog.getByLabel("Code from the mail").fill(codeOf(second));
  await dialog.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/account/security");
  expect(await whoIsIn(page)).toMatchObject({ email });
});

test("a code is remembered only where the person wants that", async ({ page, openBrowser }) => {
  const email = await confirmedAccount(await openBrowser());
  const reader = await openBrowser();
  const texts: string[] = [];
  // A cookie without a date ends with the browser.
  for (const isRemembered of [false, true]) {
    // Calls of the page would be refused without cookies.
    await page.goto("about:blank");
    await page.context().clearCookies();
    await askForMail(page, email);
    const text = await findMail(reader, email, LINK, texts);
    texts.push(text);
    await page.getByRole("dialog").getByLabel("Code from the mail").fill(codeOf(text));
    if (isRemembered) await page.getByRole("dialog").getByLabel("Remember me").check();
    await page.getByRole("dialog").getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/account/security");
    const session = (await page.context().cookies()).find(({ name }) => name.endsWith("session_token"));
    expect(session?.expires === -1).toBe(!isRemembered);
  }
});

test("a mail asked for before the dialog was closed still confirms", async ({ page, openBrowser, expectErrors }) => {
  const email = await confirmedAccount(page);
  await letConfirmationRunOut(email);
  expectErrors(/403/);
  await page.goto("/account");
  await page.getByLabel("New email").fill(newEmail());
  const change = page.getByRole("button", { name: "Change email" });
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await change.click();
  await dialog.getByRole("button", { name: "Email me a code" }).click();
  await expect(dialog.getByLabel("Code from the mail")).toBeFocused();
  await expect(dialog.getByRole("button", { name: "Send another mail" })).toBeVisible();
  await page.keyboard.press("Escape");
  const code = codeOf(await findMail(await openBrowser(), email, /Confirm that it is you/));
  await change.click();
  await dialog.getByRole("button", { name: "I have a code already" }).click();
  await dialog.getByLabel("Code from the mail").fill(code);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Please check your email", { exact: true })).toBeVisible();
});

test("a code does not work in a browser that did not ask for it", async ({ page, openBrowser }) => {
  const email = await confirmedAccount(await openBrowser());
  await askForMail(page, email);
  const text = await findMail(await openBrowser(), email, LINK);
  const other = await openBrowser();
  await askForMail(other, newEmail());
  const response = await other.request.post("/api/auth/mail-link/use", {
    data: { email, code: codeOf(text).replace(" ", "") },
  });
  expect(response.status()).toBe(403);
  await page.getByRole("dialog").getByLabel("Code from the mail").fill(codeOf(text));
  await page.getByRole("dialog").getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/account/security");
});

test("an earlier link is refused after a new one, in words that say what to do", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await confirmedAccount(await openBrowser());
  const reader = await openBrowser();
  await askForMail(page, email);
  const first = await findMail(reader, email, LINK);
  await askForMail(page, email);
  const second = await findMail(reader, email, LINK, [first]);
  expectErrors(/400/);
  await reader.goto(firstLink(first));
  await reader.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(reader.getByRole("alert")).toContainText(
    "This link has already been used or has expired. Please request a new one.",
  );
  await reader.goto(firstLink(second));
  await reader.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(reader).toHaveURL("/dashboard");
});

test("an address without an account gets one by its code", async ({ page, openBrowser }) => {
  const email = newEmail();
  await askForMail(page, email);
  const text = await findMail(await openBrowser(), email, LINK_OF_NEW_ACCOUNT);
  await page.getByRole("dialog").getByLabel("Code from the mail").fill(codeOf(text));
  await page.getByRole("dialog").getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/account/security");
  expect(await whoIsIn(page)).toMatchObject({ email, isVerified: true });
});

test("with an authenticator app, code and link go on to the second step", async ({ page, openBrowser }) => {
  const owner = await openBrowser();
  const email = await confirmedAccount(owner);
  const { secret, recoveryCodes } = await setUpAppByApi(owner, email);
  await askForMail(page, email);
  const reader = await openBrowser();
  const text = await findMail(reader, email, LINK);
  await page.getByRole("dialog").getByLabel("Code from the mail").fill(codeOf(text));
  await page.getByRole("dialog").getByRole("button", { name: "Log In" }).click();
  const dialog = page.getByRole("dialog", { name: "One more step" });
  await dialog.getByLabel("Code from your authenticator app").fill(generateSync({ secret }));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/account/security");

  await page.context().clearCookies();
  await askForMail(page, email);
  await reader.goto(firstLink(await findMail(reader, email, LINK, [text])));
  await reader.getByRole("button", { name: "Sign in", exact: true }).click();
  const step = reader.getByRole("dialog", { name: "One more step" });
  expect(await whoIsIn(reader)).toBeNull();
  await step.getByRole("button", { name: "Use a recovery code instead" }).click();
  await step.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
  await step.getByRole("button", { name: "Continue" }).click();
  await expect(step).toBeHidden();
  expect(await whoIsIn(reader)).toMatchObject({ email });
});
