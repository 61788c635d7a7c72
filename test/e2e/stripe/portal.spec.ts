import { expect, test } from "#test/e2e/support/fixtures.ts";
import { signUp } from "#test/e2e/support/accounts.ts";
import { expectToast, planCard, pauseClock, subscriptionCard } from "#test/e2e/support/plans.ts";
import { buy, control, stripeCustomerId, openPortal, clickButton } from "#test/e2e/support/stripe-double.ts";
import { countResponses } from "#test/e2e/support/waiting.ts";

test("a cancellation is confirmed here and in the portal, takes effect at the end of the month and can be undone [DASH-6, DASH-21, ERR-35]", async ({
  page,
}) => {
  await signUp(page);
  await buy(page, "Professional");
  const card = subscriptionCard(page);
  const cancelPlan = async () => {
    await page.goto("/pricing");
    await planCard(page, "Free").getByRole("button", { name: "Downgrade to Free" }).click();
    const dialog = page.getByRole("dialog", { name: "Downgrade to Free?" });
    await expect(dialog).toContainText("The billing portal asks you to confirm.");
    await expect(dialog.getByLabel("Immediately")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Continue to confirm" }).click();
    await expect(page.getByText("Cancel your plan?")).toBeVisible();
  };
  await cancelPlan();
  await clickButton(page, "Return");
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
  await expect(page).toHaveURL("/dashboard");
  await expect(card).not.toContainText("(Cancels at end of period)");

  await cancelPlan();
  await clickButton(page, "Confirm");
  await expectToast(page, "Subscription data refreshed", "until the end of this billing month.");
  await expect(card).toContainText("(Cancels at end of period)");
  await expect(card).toContainText("Active");

  await page.goto("/pricing");
  await expect(planCard(page, "Free")).toContainText("Starts on");
  await planCard(page, "Professional").getByRole("button", { name: "Keep Professional" }).click();
  await clickButton(page, "Do not cancel");
  await clickButton(page, "Return");
  await expectToast(page, "Subscription data refreshed");
  await expect(card).not.toContainText("(Cancels at end of period)");
});

test("a paid customer changes the plan in the portal, and leaving the portal changes nothing", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const upgrade = async () => {
    await page.goto("/pricing");
    await planCard(page, "Ultimate").getByRole("button", { name: "Upgrade to Ultimate" }).click();
    await expect(page.getByText("Change your plan?")).toBeVisible();
  };
  await upgrade();
  await clickButton(page, "Return");
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
  await upgrade();
  await clickButton(page, "Confirm");
  await expectToast(page, "Subscription data refreshed", "You are on the Ultimate plan.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
});

test("a failed payment is shown on the subscription card and in the billing history [DASH-8]", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  await openPortal(page);
  await clickButton(page, "Let the payment fail");
  await clickButton(page, "Return");
  const card = subscriptionCard(page);
  await expect(card.getByRole("status")).toContainText("Your last payment failed.");
  await expect(card).toContainText("Professional");
  await card.getByRole("link", { name: "Billing history" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Unpaid" })).toContainText("$9.99");
});

test("an ended subscription returns to the free plan", async ({ page }) => {
  await signUp(page);
  await buy(page, "Ultimate");
  await openPortal(page);
  await clickButton(page, "Cancel at once");
  await clickButton(page, "Return");
  await expect(subscriptionCard(page)).toContainText("Free");
  await expect(subscriptionCard(page)).not.toContainText("Priority Support");
});

test("the portal shows errors for a missing configuration and an unknown customer [ERR-40, ERR-41]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await buy(page, "Professional");
  const open = subscriptionCard(page).getByRole("button", { name: "Manage billing" });
  const customer = await stripeCustomerId(page);
  expectErrors(/503|404/);
  await control("portal-off", { customer });
  await open.click();
  await expect(
    page.getByText("The Stripe Billing Portal is not set up for this account. Please contact support.", {
      exact: true,
    }),
  ).toBeVisible();

  await control("late", { customer });
  await control("delete-customer", { customer });
  await open.click();
  await expect(
    page.getByText("Your customer record was not found in Stripe. Please contact support.", { exact: true }),
  ).toBeVisible();
});

test("the portal opens after 100 ms, and a link appears after 1 s if it did not open [DASH-21]", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const responseCount = await countResponses(page, "/api/subscription/portal");
  await pauseClock(page);
  await page.reload();
  // A 204 response keeps the browser on the page.
  let openedCount = 0;
  await page.route("**/portal/**", (route) => {
    openedCount += 1;
    return route.fulfill({ status: 204 });
  });
  const link = page.getByRole("link", { name: "Open it here" });
  const portalResponse = page.waitForResponse("**/api/subscription/portal");
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  const { url } = (await (await portalResponse).json()) as { url: string };
  await expect.poll(responseCount).toBe(1);
  await page.clock.runFor(99);
  expect(openedCount).toBe(0);
  await page.clock.runFor(1);
  await expect.poll(() => openedCount).toBe(1);
  await page.clock.runFor(899);
  await expect(link).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(link).toHaveAttribute("href", url);
  await page.unroute("**/portal/**");
  await link.click();
  await expect(page.getByRole("heading", { name: "Billing portal" })).toBeVisible();
});

test("invoices that fail to load from Stripe can be retried [NAV-23]", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const customer = await stripeCustomerId(page);
  // Stripe's client retries twice.
  await control("fail", { match: `/v1/invoices ?customer=${customer}`, times: 3 });
  await page.goto("/account/billing-history");
  await expect(page.getByRole("alert")).toContainText("Your invoices could not be loaded");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("row").filter({ hasText: "$9.99" })).toBeVisible();
});
