import { generateSync } from "otplib";
import { becomeAdministrator, codeField, letAdminConfirmationRunOut } from "./support/admin-factor.ts";
import { PASSWORD } from "./support/accounts.ts";
import { createUser, expectToast, openAdmin, submitLogin, tableRow } from "./support/admin.ts";
import { letCodeWorkAgain, setUpAppByApi } from "./support/authenticator-app.ts";
import { VirtualAuthenticator } from "./support/authenticator.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

const search = (text: string) => `/admin/dashboard?${new URLSearchParams({ tab: "users", q: text })}`;

test("the admin login asks for the code of an app, and what is sensitive asks for another [ADM-43]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/401|403/);
  const { email, id } = await becomeAdministrator(page);
  const { secret } = await setUpAppByApi(page, email);
  await page.goto("/admin");
  await submitLogin(page, email, PASSWORD);
  const field = page.getByLabel(codeField);
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(field).toHaveAccessibleDescription("Please enter the code");
  await field.fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(field).toHaveAccessibleDescription("This code is not right, or has been used.");
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: "Back to the password" }).click();
  await submitLogin(page, email, PASSWORD);
  await field.fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/admin/dashboard");

  const user = await createUser(request);
  await letAdminConfirmationRunOut(id);
  await letCodeWorkAgain(email);
  await page.goto(search(user.id));
  await page.getByRole("button", { name: `More actions for ${user.email}` }).click();
  await page.getByRole("menuitem", { name: "Promote to admin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Promote" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel(codeField).fill(generateSync({ secret }));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expectToast(page, "User promoted", `${user.email} is now an administrator.`);
  await expect(tableRow(page, user.id).getByText("Admin", { exact: true })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await query(`update users set is_admin = 0 where id in ('${user.id}', '${id}')`);
});

test("a passkey opens the back office, and confirms [ADM-41]", async ({ page, request, expectErrors }) => {
  expectErrors(/403/);
  const { id } = await becomeAdministrator(page);
  await VirtualAuthenticator.attach(page);
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("button", { name: /^Rename / })).toBeVisible();
  await page.goto("/admin");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expectToast(page, "Admin login successful", "You are now logged in as an administrator");
  await expect(page).toHaveURL("/admin/dashboard");

  const user = await createUser(request);
  await letAdminConfirmationRunOut(id);
  await page.goto(search(user.id));
  await page.getByRole("button", { name: "Edit Email" }).click();
  const changed = `changed-${user.email}`;
  await page.getByRole("dialog").getByLabel("Email").fill(changed);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await expect(tableRow(page, user.id).getByText(changed)).toBeVisible();
  await query(`update users set is_admin = 0 where id = '${id}'`);
});

test("who does not confirm changes nothing [ADM-43]", async ({ page, request, expectErrors }) => {
  expectErrors(/403/);
  const user = await createUser(request);
  await openAdmin(page);
  const token = (await page.context().cookies()).find(({ name }) => name.endsWith("mayfly.admin"))?.value ?? "";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  await query(`update admin_sessions set confirmed_at = 1 where token_hash = '${hex}'`);
  await page.goto(search(user.id));
  await tableRow(page, user.id).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete User" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const question = page.getByRole("dialog");
  await expect(question.getByRole("button", { name: "Delete User" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
  await page.reload();
  await expect(tableRow(page, user.id).getByRole("button", { name: "Delete" })).toBeVisible();
});

test("a lost app is removed once its owner has not answered for three days [ADM-45]", async ({ page, openBrowser }) => {
  const person = await openBrowser();
  const { email, id } = await becomeAdministrator(person);
  await query(`update users set is_admin = 0 where id = '${id}'`);
  await setUpAppByApi(person, email);
  await openAdmin(page, `?${new URLSearchParams({ tab: "users", q: id })}`);
  await expect(tableRow(page, id).getByText("Authenticator app")).toBeVisible();
  const open = async () => {
    await page.getByRole("button", { name: `More actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: "Second factor" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Second factor" });
  await open();
  await expect(dialog.getByText(/^Authenticator app, since /)).toBeVisible();
  await dialog.getByRole("button", { name: "Ask to remove it" }).click();
  await expectToast(page, "The mail is on its way", `${email} can answer it for three days.`);
  await expect(dialog.getByText(/^It can be removed from /)).toBeVisible();
  await expect(dialog.getByRole("button")).toHaveCount(1);

  // The person keeps it, and is asked again.
  await query(`delete from steps where user_id = '${id}' and kind = 'factor-removal'`);
  await query(
    `insert into account_events (id, user_id, at, kind, device, address)
     values ('${crypto.randomUUID()}', '${id}', ${Date.now()}, 'factor.kept', '', '')`,
  );
  await page.keyboard.press("Escape");
  await open();
  await expect(dialog.getByText(/^The person kept the app /)).toBeVisible();
  await dialog.getByRole("button", { name: "Ask to remove it" }).click();
  await expect(dialog.getByText(/^It can be removed from /)).toBeVisible();

  await query(`update steps set expires_at = expires_at - ${3 * 86_400_000} where user_id = '${id}'`);
  await page.keyboard.press("Escape");
  await open();
  await expect(dialog.getByText(/^It can be removed until /)).toBeVisible();
  await dialog.getByRole("button", { name: "Remove the app" }).click();
  const question = page.getByRole("dialog", { name: "Remove the authenticator app?" });
  await question.getByRole("button", { name: "Remove the app" }).click();
  await expectToast(page, "The app is removed", `${email} logs in without its code now.`);
  await expect(tableRow(page, id).getByText("Authenticator app")).toHaveCount(0);
});
