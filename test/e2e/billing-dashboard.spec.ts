import type { Locator } from "@playwright/test";
import { GIB } from "#domain/units.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpByApi } from "./support/accounts.ts";
import {
  choosePlan,
  expectToast,
  planCard,
  REFRESH_URL,
  updateUserRow,
  pauseClock,
  subscriptionCard,
} from "./support/plans.ts";
import { waitForEffects } from "./support/waiting.ts";

test("the subscription card shows plan, status, usage, reset date and links [CONST-7, DASH-5, DASH-6, DASH-7, DASH-8, DASH-9]", async ({
  page,
}) => {
  const email = await signUp(page);
  await updateUserRow(email, `monthly_upload_total = ${GIB / 2}, monthly_transfer_count = 3`);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await expect(card.getByRole("heading", { name: "Your Subscription" })).toBeVisible();
  await expect(card.getByText("Free", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toBeVisible();
  await expect(card.getByRole("progressbar", { name: "Storage" })).toHaveAttribute("aria-valuetext", "512 MB of 2 GB");
  await expect(card.getByRole("progressbar", { name: "Transfers" })).toHaveAttribute("aria-valuetext", "3 of 20");
  await expect(card).toContainText(/Resets on \w+ \d+, \d{4}/);
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
  await expect(card).toContainText("Your Ultimate plan ends on that day.");
  await expect(card.getByText("Ultimate", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toBeVisible();

  await query(
    `update subscriptions set status = 'unpaid' where user_id = (select id from users where email = '${email}')`,
  );
  await page.reload();
  await expect(card.getByText("Inactive", { exact: true })).toBeVisible();
  await expect(card.getByText("Active", { exact: true })).toHaveCount(0);
});

test("the storage bar turns amber above 75 % and red above 90 %; the transfers bar uses three blues [DASH-10, DASH-11]", async ({
  page,
}) => {
  const email = await signUp(page);
  const colorAt = async (name: string, percent: number) => {
    const bytes = Math.round((2 * GIB * percent) / 100);
    await updateUserRow(email, `monthly_upload_total = ${bytes}, monthly_transfer_count = ${(20 * percent) / 100}`);
    await page.goto("/dashboard");
    return colorOf(subscriptionCard(page).getByRole("progressbar", { name }));
  };
  const barColors = async (name: string) => {
    const found = [];
    for (const percent of [75, 80, 90, 95]) found.push(await colorAt(name, percent));
    return found;
  };
  const storage = await barColors("Storage");
  expect(storage.map(nameOf)).toEqual(["green", "amber", "amber", "red"]);
  const transfers = await barColors("Transfers");
  expect(transfers.map(nameOf)).toEqual(["blue", "blue", "blue", "blue"]);
  expect(transfers[1]).toEqual(transfers[2]);
  expect(new Set(transfers.map(String)).size).toBe(3);
});

/** Red, green and blue, 0 to 255. */
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

test("a manual customer gets no portal but a ten-second offer to convert [DASH-22, ERR-42, PRICE-5]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await choosePlan(page, "Professional");
  await pauseClock(page);
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
  await expectToast(page, "Conversion failed", "billing is not configured on this server. It has not changed.");
});

test("a manual refresh shows its result, and keeps the old data if it fails [DASH-20, ERR-34, ERR-35]", async ({
  page,
  expectErrors,
}) => {
  const email = await signUpByApi(page);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await updateUserRow(email, "monthly_transfer_count = 7");
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Subscription data refreshed");
  await expect(card).toContainText("7 of 20");

  expectErrors(/500/);
  await page.route(REFRESH_URL, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Refresh failed", "Out of order");
  await expect(card).toContainText("7 of 20");
});

test("the dashboard refreshes the plan after two seconds if the last refresh is more than 15 minutes old [DASH-19, ERR-39]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await pauseClock(page);
  let requestCount = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/current-plan?refresh=true")) requestCount += 1;
  });
  const open = async () => {
    await page.goto("/dashboard");
    await waitForEffects(page);
    await page.clock.runFor(1900);
  };
  await open();
  expect(requestCount).toBe(0);
  await page.clock.runFor(100);
  await expect.poll(() => requestCount).toBe(1);
  // The page records the time of the refresh after the response.
  await expect.poll(() => page.evaluate(() => localStorage.getItem("subscription-refreshed-at"))).not.toBeNull();

  await page.clock.fastForward("14:50");
  await open();
  await page.clock.runFor(3000);
  expect(requestCount).toBe(1);

  expectErrors(/500/);
  await page.route(REFRESH_URL, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.clock.fastForward("00:10");
  await open();
  await page.clock.runFor(100);
  await expect.poll(() => requestCount).toBe(2);
  await expectToast(page, "Refresh Issue", "The data shown may be out of date. Out of order");
});

test("the files stay visible if the plan fails to load, and Retry loads it [CONST-8, ERR-33]", async ({
  page,
  expectErrors,
}) => {
  const email = await signUp(page);
  await chooseFile(page, await randomFile("in-sight.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  // Not a valid date.
  await updateUserRow(email, "current_period_end = 9000000000000000");
  expectErrors(/500/);
  await page.goto("/dashboard");
  const card = subscriptionCard(page);
  await expect(card.getByRole("alert")).toContainText("Failed to load subscription data");
  await expect(page.getByText("in-sight.txt")).toBeVisible();
  const again = page.waitForResponse("**/api/subscription/current-plan*");
  await card.getByRole("button", { name: "Retry" }).click();
  expect((await again).status()).toBe(500);
  await expect(card.getByRole("alert")).toBeVisible();

  await updateUserRow(email, "current_period_end = unixepoch() * 1000 + 86400000");
  await card.getByRole("button", { name: "Retry" }).click();
  await expect(card).toContainText("1 of 20");
  await expect(card.getByRole("alert")).toBeHidden();
});

test("the billing history is linked from dashboard and account, and handles no invoices and a manual plan [NAV-23]", async ({
  page,
}) => {
  await signUpByApi(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "Billing history" }).click();
  await expect(page).toHaveURL("/account/billing-history");
  await expect(page.getByText("No invoices yet")).toBeVisible();

  await choosePlan(page, "Professional");
  await page.goto("/dashboard");
  await subscriptionCard(page).getByRole("link", { name: "Billing history" }).click();
  await expect(page.getByRole("heading", { name: "Your Professional plan was set up manually" })).toBeVisible();
  await expect(page.getByText("You were not charged for it, so there are no invoices.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Convert to Stripe" })).toHaveCount(0);

  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await page.goto("/account/billing-history");
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Log In" })).toBeVisible();
});

test("one second after a download the page refetches a user's plan, but nothing for a visitor [DL-4]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  await chooseFile(page, await randomFile("fetched.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  await page.clock.install();
  let requestCount = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/subscription/current-plan")) requestCount += 1;
  });
  await page.goto(link);
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("link", { name: "Download" }).click();
  await expect(page.getByRole("link", { name: "Download Again" })).toBeVisible();
  await page.clock.runFor(900);
  expect(requestCount).toBe(0);
  const planResponse = page.waitForResponse("**/api/subscription/current-plan");
  await page.clock.runFor(200);
  expect((await planResponse).status()).toBe(200);

  const visitor = await openBrowser();
  await visitor.clock.install();
  let failedCount = 0;
  visitor.on("request", (request) => {
    if (request.url().endsWith("/api/subscription/current-plan")) failedCount += 1;
  });
  await visitor.goto(link);
  await visitor.getByRole("link", { name: "Download" }).click();
  await expect(visitor.getByRole("link", { name: "Download Again" })).toBeVisible();
  await visitor.clock.runFor(2000);
  await visitor.reload();
  expect(failedCount).toBe(0);
});
