import { letConfirmationRunOut, logIn, newEmail, PASSWORD, signUpByApi } from "./support/accounts.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMailedLink } from "./support/mailbox.ts";

test("a call that needs a confirmation asks for the password and goes on by itself [AUTH-27] @everyday", async ({
  page,
  expectErrors,
}) => {
  const email = await signUpByApi(page);
  await letConfirmationRunOut(email);
  expectErrors(/403/);
  await page.goto("/account");
  const changedEmail = newEmail();
  await page.getByLabel("New email").fill(changedEmail);
  await page.getByRole("button", { name: "Change email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog).toBeVisible();
  await expect(page.locator("form", { hasText: "New email" }).getByRole("button", { includeHidden: true })).toHaveText(
    "Change email",
  );
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription("Password is required");
  await dialog.getByLabel("Your password").fill("not this one");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription("The current password is incorrect.");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Email updated", { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("main").getByText(changedEmail)).toBeVisible();
});

test("who closes the dialog that confirms changes nothing, and is back at the button", async ({
  page,
  expectErrors,
}) => {
  const email = await signUpByApi(page);
  await letConfirmationRunOut(email);
  expectErrors(/403/);
  await page.goto("/account");
  await page.getByLabel("New email").fill(newEmail());
  const change = page.getByRole("button", { name: "Change email" });
  await change.click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(change).toBeFocused();
  await change.click();
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(change).toBeFocused();
  // The second question took long enough for a toast about the first one to show.
  await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("main").getByText(email)).toBeVisible();
});

test("the Security tab signs out one device, and then every device", async ({ page, openBrowser, expectErrors }) => {
  // The page may fetch its lists once more before it navigates.
  expectErrors(/401.*\/api\/auth\/(sessions|devices|events|totp|passkeys)$/);
  const email = await signUpByApi(page);
  const other = await openBrowser();
  await other.goto("/login?returnTo=/account/security");
  await logIn(other, email);
  await expect(other.getByRole("heading", { name: "Security", exact: true })).toBeVisible();

  await page.goto("/account/security");
  const devices = page.getByRole("button", { name: /^Sign out (?!everywhere)/ });
  await expect(devices).toHaveCount(2);
  await devices.nth(1).click();
  await expect(devices).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL("/");
  await expect(page.getByText("Signed out a device", { exact: true })).toBeVisible();

  // The present device asks before.
  await devices.first().click();
  const here = page.getByRole("dialog", { name: "Sign out here?" });
  await here.getByRole("button", { name: "Stay signed in" }).click();
  await expect(devices.first()).toBeFocused();

  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  const everywhere = page.getByRole("dialog", { name: "Sign out everywhere?" });
  await expect(everywhere).toContainText("Your API keys and your webhooks go on working.");
  await everywhere.getByRole("button", { name: "Stay signed in" }).click();
  await page.getByLabel("Revoke my API keys and switch my webhooks off too").check();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(everywhere).toContainText(
    "Programs with your keys stop working at once, and your webhooks are told nothing more.",
  );
  await everywhere.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/account/security");
  await expect(page).toHaveURL("/");
});

test("the mail about a new address leads to a page whose button brings the former one back", async ({
  page,
  openBrowser,
}) => {
  const email = await signUpByApi(page);
  await page.goto("/account");
  await page.getByLabel("New email").fill(newEmail());
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Email updated", { exact: true })).toBeVisible();

  const reader = await openBrowser();
  await reader.goto(await findMailedLink(reader, email, /A new email address for your/));
  await reader.getByRole("button", { name: "Keep this address" }).click();
  await expect(reader.getByRole("heading", { name: "Your address is back" })).toBeFocused();
  await reader.goto(await findMailedLink(reader, email, /Set a new password/));
  await expect(reader.getByRole("heading", { name: "Set a new password" })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL("/");
});

test("links of emergency mails that have ended say what else helps", async ({ page, expectErrors }) => {
  expectErrors(/400/);
  await page.goto("/not-me?token=spent");
  await page.getByRole("button", { name: "This was not me" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "This link has been used or has expired. Set another password with “Forgot password?”, then sign out everywhere on the Security tab.",
  );
  await expect(page.getByRole("button", { name: "This was not me" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Was this not you?" })).toBeFocused();
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(page.getByRole("dialog", { name: "Reset Password" })).toBeVisible();

  for (const [path, label] of [
    ["/undo-email?token=spent", "Keep this address"],
    ["/keep-factor?token=spent", "Keep my app"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: label }).click();
    await expect(page.getByRole("alert")).toContainText("This link has been used or has expired. Please contact us.");
    await expect(page.getByRole("button", { name: label })).toHaveCount(0);
    await expect(page.getByRole("alert").getByRole("link", { name: "Contact Us" })).toHaveAttribute("href", "/contact");
  }
});
