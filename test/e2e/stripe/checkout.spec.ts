import { expect, test } from "#test/e2e/support/fixtures.ts";
import { register, signUp } from "#test/e2e/support/accounts.ts";
import { expectToast, planCard, poll, setUser, subscriptionCard } from "#test/e2e/support/plans.ts";
import { control, customerOf, openCheckout, openPortal, press } from "#test/e2e/support/stripe-double.ts";

test("an upgrade: to the checkout, back, activated, and on the bill", async ({ page }) => {
  await signUp(page);
  await openCheckout(page, "Professional");
  await expect(page.getByText("$9.99 per month")).toBeVisible();
  await press(page, "Pay");
  await expectToast(page, "Payment Successful");
  await expect(page).toHaveURL("/dashboard");
  await expectToast(page, "Subscription Activated", "You are on the Professional plan now.");
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
  await expect(page.getByText("Payments are not set up here")).toHaveCount(0);
});

test("a visitor signs up on the way to the checkout, and one who turns round has bought nothing", async ({ page }) => {
  await page.goto("/pricing");
  await planCard(page, "Ultimate").getByRole("button", { name: "Choose Ultimate" }).click();
  await register(page);
  await expect(page.getByText("$19.99 per month")).toBeVisible();
  await press(page, "Back");
  await expectToast(page, "Checkout canceled", "Nothing was charged, and your plan is as it was.");
  await expect(page).toHaveURL("/pricing");
  await expect(planCard(page, "Free")).toHaveAttribute("aria-current", "true");
});

test("a payment whose news is late is found by asking", async ({ page }) => {
  await signUp(page);
  await openCheckout(page, "Ultimate");
  await press(page, "Pay, and tell late");
  await expectToast(page, "Payment Successful");
  await expectToast(page, "Subscription Activated", "You are on the Ultimate plan now.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
});

test("a slow bank: the plan is waited for, not given; a refresh finds it when it has paid", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await openCheckout(page, "Professional");
  expectErrors(/402/);
  await page.clock.install();
  await press(page, "Pay by a slow bank");
  await expectToast(page, "Payment Successful");
  await poll(page);
  await expectToast(page, "Waiting for Activation", "Your payment is being confirmed.");
  for (let more = 0; more < 4; more += 1) await poll(page);
  await expectToast(page, "Waiting for Activation", "This plan has not been paid for. Nothing was changed.");
  const card = subscriptionCard(page);
  await expect(card).toContainText("Free");
  await expect(card.getByRole("status")).toContainText("Your payment has not been confirmed yet.");

  const customer = await customerOf(page);
  const state = (await control("state", { customer })) as { subscriptions: { id: string }[] };
  await control("live", { subscription: state.subscriptions[0]?.id, step: "recover" });
  await card.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
});

test("a manual customer converts: the same plan, paid for, with a portal", async ({ page, baseURL }) => {
  const email = await signUp(page);
  await setUser(email, "plan_type = 'professional', stripe_customer_id = 'manual_' || id", baseURL);
  await page.goto("/account/billing-history");
  await expect(page.getByRole("heading", { name: "Your Professional plan was set by hand" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Convert to Stripe" })).toBeVisible();
  await page.goto("/dashboard");
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  await expectToast(page, "Manual Subscription Detected");
  await press(page, "Convert to Stripe");
  await expect(page.getByText("$9.99 per month")).toBeVisible();
  await press(page, "Pay, and tell late");
  await expectToast(page, "Payment Successful");
  await expectToast(page, "Subscription Activated", "You are on the Professional plan now.");
  await openPortal(page);
});
