import { expect, test } from "#test/e2e/support/fixtures.ts";
import { findMailedLink } from "#test/e2e/support/mailbox.ts";
import { logIn, newEmail, register } from "#test/e2e/support/accounts.ts";

/** The server requires confirmed addresses, as in production. */

test("login requires the mailed link, which can be sent again; only the newest works, once [API-6, API-7, AUTH-8, AUTH-9, AUTH-13, AUTH-16, AUTH-18, AUTH-19, ERR-9]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = newEmail();
  await page.goto("/register");
  const registered = page.waitForResponse("**/api/auth/register");
  await register(page, email);
  const panel = page.getByRole("dialog", { name: "Email Verification Sent" });
  await expect(panel).toContainText("Thanks for signing up. Please check your email to complete account activation.");
  const { message } = (await (await registered).json()) as { message: string };
  expect(message).toContain("check your email");
  expect((await page.context().cookies()).filter(({ name }) => name.endsWith("session_token"))).toEqual([]);
  await panel.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Log In" })).toBeVisible();

  const reader = await openBrowser();
  const first = await findMailedLink(reader, email, /Confirm your email address/);

  expectErrors(/403/);
  await page.goto("/login");
  await logIn(page, email);
  const notice = page.getByRole("dialog").getByRole("alert");
  await expect(notice).toContainText(
    "Please verify your email before logging in. Check your inbox for the verification link.",
  );
  await notice.getByRole("button", { name: "Send the email again" }).click();
  await expect(page.getByText("Verification email sent", { exact: true })).toBeVisible();
  let newest = first;
  await expect(async () => {
    newest = await findMailedLink(reader, email, /Confirm your email address/);
    expect(newest).not.toBe(first);
  }).toPass();

  expectErrors(/400/);
  await reader.goto(first);
  await expect(reader.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await reader.goto(newest);
  await expect(reader.getByRole("heading", { name: "Your email address is confirmed" })).toBeVisible();
  await reader.goto(newest);
  await expect(reader.getByRole("heading", { name: "This link does not work" })).toBeVisible();

  await page.reload();
  await page.goto("/login");
  await logIn(page, email);
  await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();

  const changedEmail = newEmail();
  await page.goto("/account");
  await page.getByLabel("New email").fill(changedEmail);
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Please check your email", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText(email)).toBeVisible();
  await reader.goto(await findMailedLink(reader, changedEmail, /Confirm your email address/));
  await expect(reader.getByText(changedEmail)).toBeVisible();
  await findMailedLink(reader, email, /new email address for your/i);
  await page.reload();
  await expect(page.getByRole("main").getByText(changedEmail)).toBeVisible();
});

test("after signing up to buy a plan, the mailed link leads back to the plan", async ({ page }) => {
  const email = newEmail();
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Choose Professional" }).click();
  await register(page, email);
  await expect(page.getByRole("dialog", { name: "Email Verification Sent" })).toBeVisible();
  await page.goto(await findMailedLink(page, email, /Confirm your email address/));
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
  await logIn(page, email);
  await page.getByRole("link", { name: "Continue to the Professional plan" }).click();
  await page.getByRole("button", { name: "Upgrade to Professional" }).click();
  await expect(page.getByText("You are now on the Professional plan.", { exact: true })).toBeVisible();
});
