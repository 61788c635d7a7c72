import type { Locator } from "@playwright/test";
import { query } from "./support/database.ts";
import { choose, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpQuietly } from "./support/accounts.ts";
import {
  choosePlan,
  expectToast,
  planCard,
  poll,
  REFRESH,
  setUser,
  stopClock,
  subscriptionCard,
} from "./support/plans.ts";

const GIB = 1024 ** 3;

test("the subscription card: plan, state, usage, the day it starts again, and where to go", async ({ page }) => {
  const email = await signUp(page);
  await setUser(email, `monthly_upload_total = ${GIB / 2}, monthly_transfer_count = 3`);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await expect(card.getByRole("heading", { name: "Your Subscription" })).toBeVisible();
  await expect(card.getByText("Free", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toBeVisible();
  await expect(card.getByRole("progressbar", { name: "Storage" })).toHaveAttribute("aria-valuetext", "512 MB of 2 GB");
  await expect(card.getByRole("progressbar", { name: "Transfers" })).toHaveAttribute("aria-valuetext", "3 of 20");
  await expect(card).toContainText(/Both start again at nothing on \w+ \d+, \d{4}/);
  await expect(card.getByRole("button", { name: "Manage billing" })).toHaveCount(0);
  await card.getByRole("link", { name: "Upgrade" }).click();
  await expect(page).toHaveURL("/pricing");

  await choosePlan(page, "Ultimate");
  await page.goto("/dashboard");
  await expect(card).toContainText("Ultimate");
  await expect(card).toContainText("Priority Support");
  await expect(card.getByRole("button", { name: "Manage billing" })).toBeVisible();
  await expect(card).not.toContainText("(Cancels at end of period)");

  await page.goto("/pricing");
  await planCard(page, "Free").getByRole("button", { name: "Downgrade to Free" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Downgrade to Free" }).click();
  await expect(planCard(page, "Ultimate")).toContainText("Ends on");
  await page.goto("/dashboard");
  await expect(card).toContainText("(Cancels at end of period)");
  await expect(card).toContainText("Your Ultimate plan ends then.");
  await expect(card.getByText("Ultimate", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toBeVisible();

  await query(
    `update subscriptions set status = 'unpaid' where user_id = (select id from users where email = '${email}')`,
  );
  await page.reload();
  await expect(card.getByText("Inactive", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toHaveCount(0);
});

test("the bars: storage green, amber above 75 %, red above 90 %; transfers in three blues", async ({ page }) => {
  const email = await signUp(page);
  const colorAt = async (name: string, percent: number) => {
    const bytes = Math.round((2 * GIB * percent) / 100);
    await setUser(email, `monthly_upload_total = ${bytes}, monthly_transfer_count = ${(20 * percent) / 100}`);
    await page.goto("/dashboard");
    return colorOf(subscriptionCard(page).getByRole("progressbar", { name }));
  };
  const hues = async (name: string) => {
    const found = [];
    for (const percent of [75, 80, 90, 95]) found.push(await colorAt(name, percent));
    return found;
  };
  const storage = await hues("Storage");
  expect(storage.map(nameOf)).toEqual(["green", "amber", "amber", "red"]);
  const transfers = await hues("Transfers");
  expect(transfers.map(nameOf)).toEqual(["blue", "blue", "blue", "blue"]);
  expect(transfers[1]).toEqual(transfers[2]);
  expect(new Set(transfers.map(String)).size).toBe(3);
});

/** A bar's red, green and blue, 0 to 255. */
async function colorOf(bar: Locator): Promise<number[]> {
  return bar.locator("div").evaluate((element) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("no canvas");
    context.fillStyle = getComputedStyle(element).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
}

function nameOf([red = 0, green = 0, blue = 0]: number[]): string {
  if (blue > red && blue > green) return "blue";
  if (green > red && green > blue) return "green";
  return red > 2 * green ? "red" : "amber";
}

test("a manual customer has no portal, and is offered to convert for ten seconds", async ({ page, expectErrors }) => {
  await signUp(page);
  await choosePlan(page, "Professional");
  await stopClock(page);
  await page.goto("/dashboard");
  const offer = page.getByRole("button", { name: "Convert to Stripe" });
  const open = subscriptionCard(page).getByRole("button", { name: "Manage billing" });
  await open.click();
  await expectToast(page, "Manual Subscription Detected", "Convert it to Stripe to manage it there.");
  await page.clock.runFor(9900);
  await expect(offer).toBeVisible();
  await page.clock.runFor(200);
  await expect(offer).toBeHidden();

  expectErrors(/503/);
  await open.click();
  await offer.click();
  await expectToast(page, "Conversion failed", "payments are not set up here. It goes on as it is.");
});

test("refreshing by hand says how it went; the old data stays where it fails", async ({ page, expectErrors }) => {
  const email = await signUpQuietly(page);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await setUser(email, "monthly_transfer_count = 7");
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Subscription data refreshed");
  await expect(card).toContainText("7 of 20");

  expectErrors(/500/);
  await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Refresh failed", "Out of order");
  await expect(card).toContainText("7 of 20");
});

test("the data is refreshed two seconds after the page, when the last time is over 15 minutes ago", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await stopClock(page);
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/current-plan?refresh=true")) asked += 1;
  });
  const open = async () => {
    await page.goto("/dashboard");
    await page.clock.runFor(1900);
  };
  await open();
  expect(asked).toBe(0);
  await poll(page);
  expect(asked).toBe(1);
  // The answer has come; the page has yet to note when.
  await expect.poll(() => page.evaluate(() => localStorage.getItem("subscription-refreshed-at"))).not.toBeNull();

  await page.clock.fastForward("14:00");
  await open();
  await page.clock.runFor(3000);
  expect(asked).toBe(1);

  expectErrors(/500/);
  await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.clock.fastForward("02:00");
  await open();
  await poll(page);
  expect(asked).toBe(2);
  await expectToast(page, "Refresh Issue", "What you see may not be the latest. Out of order");
});

test("a plan that cannot be read leaves the files in sight, and Retry reads it again", async ({
  page,
  expectErrors,
}) => {
  const email = await signUp(page);
  await choose(page, await randomFile("in-sight.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  // No calendar knows this moment.
  await setUser(email, "current_period_end = 9000000000000000");
  expectErrors(/500/);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await expect(card.getByRole("alert")).toContainText("Failed to load subscription data");
  await expect(page.getByText("in-sight.txt")).toBeVisible();
  const again = page.waitForResponse("**/api/subscription/current-plan*");
  await card.getByRole("button", { name: "Retry" }).click();
  expect((await again).status()).toBe(500);
  await expect(card.getByRole("alert")).toBeVisible();

  await setUser(email, "current_period_end = unixepoch() * 1000 + 86400000");
  await card.getByRole("button", { name: "Retry" }).click();
  await expect(card).toContainText("1 of 20");
  await expect(card.getByRole("alert")).toBeHidden();
});

test("billing history: linked from the dashboard and the account, empty, and of a plan set by hand", async ({
  page,
}) => {
  await signUpQuietly(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "Billing history" }).click();
  await expect(page).toHaveURL("/account/billing-history");
  await expect(page.getByText("No invoices yet")).toBeVisible();

  await choosePlan(page, "Professional");
  await page.goto("/dashboard");
  await subscriptionCard(page).getByRole("link", { name: "Billing history" }).click();
  await expect(page.getByRole("heading", { name: "Your Professional plan was set by hand" })).toBeVisible();
  await expect(page.getByText("Nothing was charged for it, so there are no invoices.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Convert to Stripe" })).toHaveCount(0);

  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await page.goto("/account/billing-history");
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Log In" })).toBeVisible();
});

test("one second after a download the person's plan is read anew; a visitor's is not", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  await choose(page, await randomFile("fetched.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  await page.clock.install();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/subscription/current-plan")) asked += 1;
  });
  await page.goto(link);
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("link", { name: "Download" }).click();
  await expect(page.getByRole("link", { name: "Download Again" })).toBeVisible();
  await page.clock.runFor(900);
  expect(asked).toBe(0);
  const read = page.waitForResponse("**/api/subscription/current-plan");
  await page.clock.runFor(200);
  expect((await read).status()).toBe(200);

  const visitor = await openBrowser();
  await visitor.clock.install();
  let refused = 0;
  visitor.on("request", (request) => {
    if (request.url().endsWith("/api/subscription/current-plan")) refused += 1;
  });
  await visitor.goto(link);
  await visitor.getByRole("link", { name: "Download" }).click();
  await expect(visitor.getByRole("link", { name: "Download Again" })).toBeVisible();
  await visitor.clock.runFor(2000);
  await visitor.reload();
  expect(refused).toBe(0);
});
