import { columnNames, expectToast, createUser, openAdmin, tableRow, submitLogin } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { newEmail, PASSWORD } from "./support/accounts.ts";

const search = (text: string) => `?${new URLSearchParams({ tab: "users", q: text })}`;

test("the users tab shows its columns and searches by the start of an email address [ADM-8, ADM-9]", async ({
  page,
  request,
}) => {
  const { email, id } = await createUser(request);
  await openAdmin(page);
  expect(await columnNames(page, "Users")).toEqual([
    "ID",
    "Email",
    "Admin Status",
    "Subscription",
    "Signed Up",
    "Actions",
  ]);
  await page.getByLabel("Search users").fill(email.slice(0, -4));
  await expect(page).toHaveURL(/q=person/);
  await expect(page.getByRole("row")).toHaveCount(2);
  const row = tableRow(page, email);
  await expect(row).toContainText(id);
  await expect(row.getByText("User", { exact: true })).toBeVisible();
  await expect(row.getByText("Free", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Search users")).toHaveValue(email.slice(0, -4));
  await page.getByLabel("Search users").fill("nobody-begins-so");
  await expect(page.getByText("No address starts with “nobody-begins-so”.")).toBeVisible();
});

test("editing an email address ignores the same address, rejects an invalid one and saves a valid one [ADM-10, ADM-31, ERR-60, VAL-22, VAL-23]", async ({
  page,
  request,
  expectErrors,
}) => {
  const { email, id } = await createUser(request);
  const otherUser = await createUser(request);
  await openAdmin(page, search(id));
  let calls = 0;
  page.on("request", (sent) => {
    if (sent.method() === "PUT") calls += 1;
  });
  const open = () => tableRow(page, id).getByRole("button", { name: "Edit Email" }).click();
  const save = async (address: string) => {
    await page.getByRole("dialog").getByLabel("Email").fill(address);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  };
  await open();
  await save(email);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await open();
  for (const invalidEmail of ["a+b@example.com", "ada@example.c", "ada@", "@example.com"]) {
    await save(invalidEmail);
    await expectToast(page, "Invalid email format", `Please enter a valid email address (e.g., ${email})`);
  }
  expect(calls).toBe(0);

  expectErrors(/409|ERR_FAILED/);
  await save(otherUser.email);
  await expectToast(page, "Update failed", "Email already registered");
  await page.route("**/api/admin/user/email/*", (route) => route.abort());
  await save(newEmail());
  await expectToast(page, "Update failed", "There was a problem updating the email");
  await page.unroute("**/api/admin/user/email/*");
  const changed = newEmail();
  await save(changed);
  await expectToast(page, "Email updated");
  await expect(tableRow(page, changed)).toBeVisible();
});

test("editing a plan shows a warning, ignores the same plan and sets any other plan at once [ADM-8, ADM-11, ADM-12, ADM-13, ADM-31, ERR-61] @everyday", async ({
  page,
  request,
  expectErrors,
}) => {
  const { id } = await createUser(request);
  await openAdmin(page, search(id));
  const dialog = page.getByRole("dialog");
  const choose = async (plan: string) => {
    await tableRow(page, id).getByRole("button", { name: "Edit Plan" }).click();
    await dialog.getByLabel(plan).check();
    await dialog.getByRole("button", { name: "Save" }).click();
  };
  await tableRow(page, id).getByRole("button", { name: "Edit Plan" }).click();
  await expect(dialog).toContainText("This overrides any existing card subscription and takes effect immediately.");
  await page.keyboard.press("Escape");
  let calls = 0;
  page.on("request", (sent) => {
    if (sent.method() === "PUT") calls += 1;
  });
  await choose("Free");
  await expect(dialog).toHaveCount(0);
  expect(calls).toBe(0);

  for (const plan of ["Ultimate", "Professional", "Free"]) {
    await choose(plan);
    await expectToast(page, "Plan updated");
    await expect(tableRow(page, id).getByText(plan, { exact: true })).toBeVisible();
    expect(await query(`select plan_type from users where id = '${id}'`)).toEqual([{ plan_type: plan.toLowerCase() }]);
  }
  expectErrors(/500/);
  await page.route("**/api/admin/user/plan/*", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
  await choose("Ultimate");
  await expectToast(page, "Update failed", "There was a problem updating the plan");
});

test("a promoted user can log in to the admin area, and a demoted user cannot [ADM-8, DEC-17]", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  const { email, id } = await createUser(request);
  await openAdmin(page, search(id));
  const choose = async (item: string, button: string) => {
    await page.getByRole("button", { name: `More actions for ${email}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").getByRole("button", { name: button }).click();
  };
  await choose("Promote to admin", "Promote");
  await expectToast(page, "User promoted");
  await expect(tableRow(page, id).getByText("Admin", { exact: true })).toBeVisible();

  const other = await openBrowser();
  await other.goto("/admin");
  await submitLogin(other, email, PASSWORD);
  await expect(other.getByText(`Logged in as ${email}`)).toBeVisible();

  // The last administrator cannot be demoted.
  const second = await createUser(request);
  await query(`update users set is_admin = 1 where id = '${second.id}'`);
  await choose("Demote to user", "Demote");
  await expectToast(page, "User demoted");
  await expect(tableRow(page, id).getByText("User", { exact: true })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL("/admin");

  expectErrors(/409/);
  await query(`update users set is_admin = 0 where id <> '${second.id}'`);
  await page.goto(`/admin/dashboard${search(second.id)}`);
  await page.getByRole("button", { name: `More actions for ${second.email}` }).click();
  await page.getByRole("menuitem", { name: "Demote to user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Demote" }).click();
  await expectToast(page, "Update failed", /last administrator/i);
});

test("deleting a user asks for confirmation and shows a toast when everything is deleted [ADM-9, ERR-59]", async ({
  page,
  request,
  expectErrors,
}) => {
  const { email, id } = await createUser(request);
  await openAdmin(page, search(id));
  const row = tableRow(page, id);
  const confirm = async () => {
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete user" }).click();
  };
  await row.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("It cannot be undone.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toContainText(email);

  expectErrors(/500/);
  await page.route("**/api/admin/users/*", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
  await confirm();
  await expectToast(page, "Delete failed", "There was a problem deleting the user");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.unroute("**/api/admin/users/*");

  await confirm();
  await expectToast(page, "User deleted", "User account, S3 files, and subscription data completely removed");
  await expect(page.getByText(`No address starts with “${id}”.`)).toBeVisible();
  expect(await query(`select id from users where id = '${id}'`)).toEqual([]);
});

test("a slow deletion is shown to every administrator until it ends [ERR-59]", async ({ page, request }) => {
  let id = "";
  // A sweep of another test may finish the deletion first.
  await expect(async () => {
    ({ id } = await createUser(request));
    await query(`update users set deleted_at = ${Date.now()} where id = '${id}'`);
    await openAdmin(page, search(id));
    await expect(tableRow(page, id).getByText("Deleting…")).toBeVisible({ timeout: 3000 });
    await expect(tableRow(page, id).getByRole("button")).toHaveCount(0, { timeout: 1 });
  }).toPass();
  await request.get("/cdn-cgi/handler/scheduled");
  await expectToast(page, "User deleted", "User account, S3 files, and subscription data completely removed");
  await expect(tableRow(page, id)).toHaveCount(0);
});
