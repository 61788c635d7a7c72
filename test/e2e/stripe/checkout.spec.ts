import { expect, test } from "#test/e2e/support/fixtures.ts";
import { register, signUp } from "#test/e2e/support/accounts.ts";
import { expectToast, planCard, advanceToNextPoll, updateUserRow, subscriptionCard } from "#test/e2e/support/plans.ts";
import { control, stripeCustomerId, openCheckout, openPortal, clickButton } from "#test/e2e/support/stripe-double.ts";

test("an upgrade goes through the checkout, is activated and appears in the billing history [DASH-5, ERR-36, ERR-37, NAV-12, NAV-23, PRICE-7] @everyday", async ({
  page,
}) => {
  await signUp(page);
  await openCheckout(page, "Professional");
  await expect(page.getByText("$9.99 per month")).toBeVisible();
  await clickButton(page, "Pay");
  await expectToast(page, "Payment Successful");
  await expect(page).toHaveURL("/dashboard");
  await expectToast(page, "Subscription Activated", "You are now on the Professional plan.");
  const card = subscriptionCard(page);
  await expect(card).toContainText("Professional");
  await expect(card).toContainText("Active");

  await card.getByRole("link", { name: "Billing history" }).click();
  const row = page.getByRole("row").filter({ hasText: "$9.99" });
  await expect(row).toContainText("Paid");
  await expect(row).toContainText(new Date().toLocaleDateString("en-US", { month: "short" }));
  await expect(row.getByRole("link", { name: /PDF/ })).toHaveAttribute("href", /^https:\/\/pay\.stripe\.com\/.*\/pdf$/);

  await page.goto("/pricing");
  await expect(planCard(page, "Professional").getByRole("link", { name: "Manage plan" })).toBeVisible();
  await expect(page.getByText("Billing is not configured on this server")).toHaveCount(0);
});

test("a visitor signs up before the checkout, and a canceled checkout buys nothing", async ({ page }) => {
  await page.goto("/pricing");
  await planCard(page, "Ultimate").getByRole("button", { name: "Choose Ultimate" }).click();
  await register(page);
  await expect(page.getByText("$19.99 per month")).toBeVisible();
  await clickButton(page, "Back");
  await expectToast(page, "Checkout canceled", "You were not charged, and your plan has not changed.");
  await expect(page).toHaveURL("/pricing");
  await expect(planCard(page, "Free")).toHaveAttribute("aria-current", "true");
});

test("a payment with a late webhook is found by polling [DASH-9, DASH-17]", async ({ page }) => {
  await signUp(page);
  await openCheckout(page, "Ultimate");
  await clickButton(page, "Pay, and tell late");
  await expectToast(page, "Payment Successful");
  await expectToast(page, "Subscription Activated", "You are now on the Ultimate plan.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
});

test("a pending payment activates no plan until a refresh finds it paid [DASH-18, ERR-38]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await openCheckout(page, "Professional");
  expectErrors(/402/);
  await page.clock.install();
  await clickButton(page, "Pay by a slow bank");
  await expectToast(page, "Payment Successful");
  await advanceToNextPoll(page);
  await expectToast(page, "Waiting for Activation", "Your payment is being confirmed.");
  for (let polls = 0; polls < 4; polls += 1) await advanceToNextPoll(page);
  await expectToast(page, "Waiting for Activation", "This plan has not been paid for, so nothing was changed.");
  const card = subscriptionCard(page);
  await expect(card).toContainText("Free");
  await expect(card.getByRole("status")).toContainText("Your payment has not been confirmed yet.");

  const customer = await stripeCustomerId(page);
  const state = (await control("state", { customer })) as { subscriptions: { id: string }[] };
  await control("live", { subscription: state.subscriptions[0]?.id, step: "recover" });
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
});

test("a manual customer converts to a paid subscription of the same plan, with a portal [DASH-8, DASH-22, ERR-42, PRICE-5]", async ({
  page,
  baseURL,
}) => {
  const email = await signUp(page);
  await updateUserRow(email, "plan_type = 'professional', stripe_customer_id = 'manual_' || id", baseURL);
  await page.goto("/account/billing-history");
  await expect(page.getByRole("heading", { name: "Your Professional plan was set up manually" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Convert to Stripe" })).toBeVisible();
  await page.goto("/dashboard");
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  await expectToast(page, "Manual Subscription Detected");
  await clickButton(page, "Convert to Stripe");
  await expect(page.getByText("$9.99 per month")).toBeVisible();
  await clickButton(page, "Pay, and tell late");
  await expectToast(page, "Payment Successful");
  await expectToast(page, "Subscription Activated", "You are now on the Professional plan.");
  await openPortal(page);
});
