import { query } from "./support/database.ts";
import { choose, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, register, signUp, signUpQuietly } from "./support/accounts.ts";
import { choosePlan, expectToast, planCard, setUser } from "./support/plans.ts";

test("the pricing page: each plan's price, limits and features; Contact Sales leads to /contact", async ({ page }) => {
  await page.goto("/plans");
  await expect(page).toHaveURL("/pricing");
  const shown = async (name: string, ...words: string[]) => {
    for (const word of words) await expect(planCard(page, name)).toContainText(word);
  };
  await shown("Free", "$0", "500 MB", "2 GB", "Transfers a month20", "3 days", "A link that works from the first byte");
  await shown("Professional", "$9.99", "10 GB", "100 GB", "Transfers a month200", "60 days", "Billing portal");
  await shown("Ultimate", "$19.99", "50 GB", "1 TB", "2,000", "Keep Forever", "2 TB stored", "Priority Support");
  await expect(page.getByText("Current plan")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Contact Sales" })).toHaveAttribute("href", "/contact");
});

test("a visitor who chooses a plan is asked to log in, and comes back to that choice", async ({
  page,
  openBrowser,
}) => {
  await page.goto("/pricing");
  await planCard(page, "Ultimate").getByRole("button", { name: "Choose Ultimate" }).click();
  await expect(page.getByRole("dialog")).toContainText("You must be logged in to select a plan");
  const email = await register(page);
  await expectToast(page, "Plan Updated", "You are on the Ultimate plan now.");
  await expect(planCard(page, "Ultimate").getByText("Current plan", { exact: true })).toBeVisible();
  await expect(planCard(page, "Ultimate").getByRole("link", { name: "Manage plan" })).toBeVisible();

  // What is chosen is compared with the plan that the person turns out to have.
  const other = await openBrowser();
  await other.goto("/pricing");
  await planCard(other, "Professional").getByRole("button", { name: "Choose Professional" }).click();
  await other.getByRole("tab", { name: "Log In" }).click();
  await logIn(other, email);
  await expect(other.getByRole("dialog", { name: "Downgrade to Professional?" })).toBeVisible();

  const third = await openBrowser();
  await third.goto("/pricing");
  await planCard(third, "Free").getByRole("button", { name: "Start for free" }).click();
  await register(third);
  await expect(third).toHaveURL("/");
  await expect(third.getByLabel("Choose a file")).toBeAttached();
});

test("an upgrade shows everywhere at once: the mark, the locked expirations, the dashboard", async ({ page }) => {
  const email = await signUpQuietly(page);
  await page.goto("/pricing");
  const free = planCard(page, "Free");
  await expect(free).toHaveAttribute("aria-current", "true");
  await free.getByRole("button", { name: "Current plan" }).click();
  await expectToast(page, "You're already on the Free plan");

  await planCard(page, "Professional").getByRole("button", { name: "Upgrade to Professional" }).press("Enter");
  await expectToast(page, "Plan Updated", "You are on the Professional plan now.");
  await expect(planCard(page, "Professional")).toHaveAttribute("aria-current", "true");
  await expect(free.getByRole("button", { name: "Downgrade to Free" })).toBeVisible();
  await expect(planCard(page, "Ultimate").getByRole("button", { name: "Upgrade to Ultimate" })).toBeVisible();
  const [row] = await query(`select plan_type, stripe_customer_id from users where email = '${email}'`);
  expect(row).toMatchObject({ plan_type: "professional", stripe_customer_id: expect.stringMatching(/^manual_/) });

  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("complementary")).toContainText("Professional");
  await page.getByRole("link", { name: "Upload a file" }).click();
  await expect(page.getByRole("option", { name: "60 days" })).toBeEnabled();
  await expect(page.getByRole("option", { name: "Keep Forever — Ultimate plan" })).toBeDisabled();
});

test("a downgrade says first what becomes of the files, and can wait for the month's end", async ({ page }) => {
  const email = await signUp(page);
  await choosePlan(page, "Ultimate");
  await page.goto("/");
  await page.getByLabel("Link expires after").selectOption("never");
  await choose(page, await randomFile("kept.txt", 10));
  await expect(page.getByText("Never expires")).toBeVisible();

  await page.goto("/pricing");
  const free = planCard(page, "Free");
  const ultimate = planCard(page, "Ultimate");
  const dialog = page.getByRole("dialog", { name: "Downgrade to Free?" });
  await free.getByRole("button", { name: "Downgrade to Free" }).click();
  await expect(dialog).toContainText("Files you have uploaded live out their time");
  await expect(dialog).toContainText("Files kept forever get 30 days.");
  await expect(dialog).toContainText("up to 500 MB each, kept up to 3 days, with 2 GB and 20 transfers a month");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(ultimate).toHaveAttribute("aria-current", "true");

  await free.getByRole("button", { name: "Downgrade to Free" }).click();
  await dialog.getByRole("button", { name: "Downgrade to Free" }).click();
  await expectToast(page, "Plan Updated", /Your Ultimate plan ends on /);
  await expect(free).toContainText("Yours from");
  await expect(ultimate).toContainText("Ends on");
  await ultimate.getByRole("button", { name: "Keep Ultimate" }).click();
  await expectToast(page, "Plan Updated", "You are on the Ultimate plan now.");

  await free.getByRole("button", { name: "Downgrade to Free" }).click();
  await dialog.getByLabel("Right away").check();
  await dialog.getByRole("button", { name: "Downgrade to Free" }).click();
  await expectToast(page, "Plan Updated", "You are on the Free plan now.");
  await expect(free).toHaveAttribute("aria-current", "true");
  const [file] = await query(
    `select round((expires_at - unixepoch() * 1000) / 86400000.0) as days from files
     where user_id = (select id from users where email = '${email}')`,
  );
  expect(file).toEqual({ days: 30 });
});

test("what goes wrong on the pricing page is said in the catalogue's words, and nothing changes", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/500/);
  const outOfOrder = (path: string, on = page) =>
    on.route(path, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await signUpQuietly(page);
  await page.goto("/pricing");
  await outOfOrder("**/api/subscription/checkout");
  await planCard(page, "Professional").getByRole("button", { name: "Upgrade to Professional" }).click();
  await expectToast(page, "Checkout Error", "Out of order");
  await expect(planCard(page, "Free")).toHaveAttribute("aria-current", "true");
  await expect(planCard(page, "Professional").getByRole("button", { name: "Upgrade to Professional" })).toBeEnabled();

  await page.unroute("**/api/subscription/checkout");
  await choosePlan(page, "Professional");
  await outOfOrder("**/api/subscription/manual-update");
  await planCard(page, "Free").getByRole("button", { name: "Downgrade to Free" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Downgrade to Free" }).click();
  await expectToast(page, "Update Error", "Out of order");
  await expect(planCard(page, "Professional")).toHaveAttribute("aria-current", "true");

  const other = await openBrowser();
  await outOfOrder("**/api/subscription/current-plan", other);
  await other.goto("/pricing");
  await planCard(other, "Professional").getByRole("button", { name: "Choose Professional" }).click();
  await register(other);
  await expectToast(other, "Error", "Out of order");
});

test("an upload that the month has no room for leads to the plans", async ({ page, expectErrors }) => {
  const email = await signUp(page);
  await setUser(email, "monthly_transfer_count = 20");
  expectErrors(/403/);
  await choose(page, await randomFile("too-much.txt", 10));
  await expectToast(page, "Storage limit exceeded", "This file exceeds your plan's storage limit");
  await page.getByRole("link", { name: "See the plans" }).click();
  await expect(page).toHaveURL("/pricing");
});

test("a checkout that was canceled says so plainly, and the address is clean again", async ({ page }) => {
  await page.goto("/pricing?checkout=cancelled");
  await expectToast(page, "Checkout canceled", "Nothing was charged, and your plan is as it was.");
  await expect(page).toHaveURL("/pricing");
});
