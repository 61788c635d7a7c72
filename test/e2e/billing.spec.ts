import { query } from "./support/database.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, register, signUp, signUpByApi } from "./support/accounts.ts";
import { choosePlan, expectToast, planCard, updateUserRow } from "./support/plans.ts";

test("the pricing page shows each plan's price, limits and features; Contact Sales links to /contact [CONST-2, CONST-7, NAV-12, PRICE-1, PRICE-2, TRF-28]", async ({
  page,
}) => {
  await page.goto("/plans");
  await expect(page).toHaveURL("/pricing");
  const expectOnCard = async (name: string, ...texts: string[]) => {
    for (const text of texts) await expect(planCard(page, name)).toContainText(text);
  };
  await expectOnCard(
    "Free",
    "$0",
    "500 MB",
    "2 GB",
    "Files per transfer1,000",
    "Transfers per month20",
    "3 days",
    "Links that work during the upload",
  );
  await expectOnCard(
    "Professional",
    "$9.99",
    "10 GB",
    "100 GB",
    "10,000",
    "Transfers per month200",
    "60 days",
    "Billing portal",
  );
  await expectOnCard("Ultimate", "$19.99", "50 GB", "1 TB", "2,000", "Keep Forever", "2 TB stored", "Priority Support");
  await expect(page.getByText("Current plan")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Contact Sales" })).toHaveAttribute("href", "/contact");
});

test("a visitor who chooses a plan is asked to log in, and the choice is kept [PRICE-3]", async ({
  page,
  openBrowser,
}) => {
  await page.goto("/pricing");
  await planCard(page, "Ultimate").getByRole("button", { name: "Choose Ultimate" }).click();
  await expect(page.getByRole("dialog")).toContainText("You must be logged in to select a plan");
  const email = await register(page);
  await expectToast(page, "Plan Updated", "You are now on the Ultimate plan.");
  await expect(planCard(page, "Ultimate").getByText("Current plan", { exact: true })).toBeVisible();
  await expect(planCard(page, "Ultimate").getByRole("link", { name: "Manage plan" })).toBeVisible();

  // The choice is compared with the plan of the account that logs in.
  const other = await openBrowser();
  await other.goto("/pricing");
  await planCard(other, "Professional").getByRole("button", { name: "Choose Professional" }).click();
  await other.getByRole("tab", { name: "Log In" }).click();
  await logIn(other, email);
  await expect(other.getByRole("dialog", { name: "Downgrade to Professional?" })).toBeVisible();

  const secondBrowser = await openBrowser();
  await secondBrowser.goto("/pricing");
  await planCard(secondBrowser, "Free").getByRole("button", { name: "Start for free" }).click();
  await register(secondBrowser);
  await expect(secondBrowser).toHaveURL("/");
  await expect(secondBrowser.getByLabel("Choose a file")).toBeAttached();
});

test("an upgrade is visible at once on the pricing page, in the expirations and on the dashboard [ERR-47, PRICE-4, PRICE-10] @everyday", async ({
  page,
}) => {
  const email = await signUpByApi(page);
  await page.goto("/pricing");
  const freeCard = planCard(page, "Free");
  await expect(freeCard).toHaveAttribute("aria-current", "true");
  await freeCard.getByRole("button", { name: "Current plan" }).click();
  await expectToast(page, "You're already on the Free plan");

  await planCard(page, "Professional").getByRole("button", { name: "Upgrade to Professional" }).press("Enter");
  await expectToast(page, "Plan Updated", "You are now on the Professional plan.");
  await expect(planCard(page, "Professional")).toHaveAttribute("aria-current", "true");
  await expect(freeCard.getByRole("button", { name: "Downgrade to Free" })).toBeVisible();
  await expect(planCard(page, "Ultimate").getByRole("button", { name: "Upgrade to Ultimate" })).toBeVisible();
  const [row] = await query(`select plan_type, stripe_customer_id from users where email = '${email}'`);
  expect(row).toMatchObject({ plan_type: "professional", stripe_customer_id: expect.stringMatching(/^manual_/) });

  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("complementary")).toContainText("Professional");
  await page.getByRole("link", { name: "Upload a file" }).click();
  await expect(page.getByRole("option", { name: "60 days" })).toBeEnabled();
  await expect(page.getByRole("option", { name: "Keep Forever — Ultimate plan" })).toBeDisabled();
});

test("a downgrade explains what happens to files, and can start at the end of the month [ERR-47]", async ({ page }) => {
  const email = await signUp(page);
  await choosePlan(page, "Ultimate");
  await page.goto("/");
  await page.getByLabel("Link expires after").selectOption("never");
  await chooseFile(page, await randomFile("kept.txt", 10));
  await expect(page.getByText("Never expires")).toBeVisible();

  await page.goto("/pricing");
  const freeCard = planCard(page, "Free");
  const ultimate = planCard(page, "Ultimate");
  const dialog = page.getByRole("dialog", { name: "Downgrade to Free?" });
  await freeCard.getByRole("button", { name: "Downgrade to Free" }).click();
  await expect(dialog).toContainText("Files you have uploaded keep their expiry");
  await expect(dialog).toContainText("Files kept forever expire after 30 days.");
  await expect(dialog).toContainText("up to 500 MB each, kept for up to 3 days, with 2 GB and 20 transfers per month");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(ultimate).toHaveAttribute("aria-current", "true");

  await freeCard.getByRole("button", { name: "Downgrade to Free" }).click();
  await dialog.getByRole("button", { name: "Downgrade to Free" }).click();
  await expectToast(page, "Plan Updated", /Your Ultimate plan ends on /);
  await expect(freeCard).toContainText("Starts on");
  await expect(ultimate).toContainText("Ends on");
  await ultimate.getByRole("button", { name: "Keep Ultimate" }).click();
  await expectToast(page, "Plan Updated", "You are now on the Ultimate plan.");

  await freeCard.getByRole("button", { name: "Downgrade to Free" }).click();
  await dialog.getByLabel("Immediately").check();
  await dialog.getByRole("button", { name: "Downgrade to Free" }).click();
  await expectToast(page, "Plan Updated", "You are now on the Free plan.");
  await expect(freeCard).toHaveAttribute("aria-current", "true");
  const [file] = await query(
    `select round((expires_at - unixepoch() * 1000) / 86400000.0) as days from files
     where user_id = (select id from users where email = '${email}')`,
  );
  expect(file).toEqual({ days: 30 });
});

test("errors on the pricing page show the specified messages and change nothing [ERR-45, ERR-46, ERR-48]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/500/);
  const outOfOrder = (path: string, on = page) =>
    on.route(path, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await signUpByApi(page);
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

test("an upload that exceeds the monthly quota links to the plans", async ({ page, expectErrors }) => {
  const email = await signUp(page);
  await updateUserRow(email, "monthly_transfer_count = 20");
  expectErrors(/403/);
  await chooseFile(page, await randomFile("too-much.txt", 10));
  await expectToast(page, "Storage limit exceeded", "This file exceeds your plan's storage limit");
  await page.getByRole("link", { name: "See the plans" }).click();
  await expect(page).toHaveURL("/pricing");
});

test("a canceled checkout shows a toast and cleans the URL", async ({ page }) => {
  await page.goto("/pricing?checkout=cancelled");
  await expectToast(page, "Checkout canceled", "You were not charged, and your plan has not changed.");
  await expect(page).toHaveURL("/pricing");
});
