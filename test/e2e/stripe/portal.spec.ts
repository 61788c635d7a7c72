import { expect, test } from "#test/e2e/support/fixtures.ts";
import { signUp } from "#test/e2e/support/accounts.ts";
import { expectToast, planCard, stopClock, subscriptionCard } from "#test/e2e/support/plans.ts";
import { buy, control, customerOf, openPortal, press } from "#test/e2e/support/stripe-double.ts";
import { countAnswers } from "#test/e2e/support/waiting.ts";

test("leaving a plan: confirmed here and in the portal, it ends with the month, and can be kept", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const card = subscriptionCard(page);
  const leave = async () => {
    await page.goto("/pricing");
    await planCard(page, "Free").getByRole("button", { name: "Downgrade to Free" }).click();
    const dialog = page.getByRole("dialog", { name: "Downgrade to Free?" });
    await expect(dialog).toContainText("The billing portal opens and asks you to confirm.");
    await expect(dialog.getByLabel("Right away")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Go on to confirm" }).click();
    await expect(page.getByText("Cancel your plan?")).toBeVisible();
  };
  await leave();
  await press(page, "Return");
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
  await expect(page).toHaveURL("/dashboard");
  await expect(card).not.toContainText("(Cancels at end of period)");

  await leave();
  await press(page, "Confirm");
  await expectToast(page, "Subscription data refreshed", "It ends with this billing month.");
  await expect(card).toContainText("(Cancels at end of period)");
  await expect(card).toContainText("Active");

  await page.goto("/pricing");
  await expect(planCard(page, "Free")).toContainText("Yours from");
  await planCard(page, "Professional").getByRole("button", { name: "Keep Professional" }).click();
  await press(page, "Do not cancel");
  await press(page, "Return");
  await expectToast(page, "Subscription data refreshed");
  await expect(card).not.toContainText("(Cancels at end of period)");
});

test("from one paid plan to another: in the portal, and who turns round has paid nothing", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const upgrade = async () => {
    await page.goto("/pricing");
    await planCard(page, "Ultimate").getByRole("button", { name: "Upgrade to Ultimate" }).click();
    await expect(page.getByText("Change your plan?")).toBeVisible();
  };
  await upgrade();
  await press(page, "Return");
  await expectToast(page, "Subscription data refreshed", "You are on the Professional plan.");
  await upgrade();
  await press(page, "Confirm");
  await expectToast(page, "Subscription data refreshed", "You are on the Ultimate plan.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
});

test("a payment that fails is said on the card and on the bill", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  await openPortal(page);
  await press(page, "Let the payment fail");
  await press(page, "Return");
  const card = subscriptionCard(page);
  await expect(card.getByRole("status")).toContainText("The last payment did not go through.");
  await expect(card).toContainText("Professional");
  await card.getByRole("link", { name: "Billing history" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Unpaid" })).toContainText("$9.99");
});

test("a plan that has ended is the free one again", async ({ page }) => {
  await signUp(page);
  await buy(page, "Ultimate");
  await openPortal(page);
  await press(page, "Cancel at once");
  await press(page, "Return");
  await expect(subscriptionCard(page)).toContainText("Free");
  await expect(subscriptionCard(page)).not.toContainText("Priority Support");
});

test("the portal's refusals: not set up, and a customer that is not there", async ({ page, expectErrors }) => {
  await signUp(page);
  await buy(page, "Professional");
  const open = subscriptionCard(page).getByRole("button", { name: "Manage billing" });
  const customer = await customerOf(page);
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

test("the portal opens after 100 ms; where it does not, after 1 s there is a link to it", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const answers = await countAnswers(page, "/api/subscription/portal");
  await stopClock(page);
  await page.reload();
  // A page without content leaves the browser where it is.
  let opened = 0;
  await page.route("**/portal/**", (route) => {
    opened += 1;
    return route.fulfill({ status: 204 });
  });
  const link = page.getByRole("link", { name: "Open it here" });
  const answered = page.waitForResponse("**/api/subscription/portal");
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  const { url } = (await (await answered).json()) as { url: string };
  await expect.poll(answers).toBe(1);
  await page.clock.runFor(99);
  expect(opened).toBe(0);
  await page.clock.runFor(1);
  await expect.poll(() => opened).toBe(1);
  await page.clock.runFor(899);
  await expect(link).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(link).toHaveAttribute("href", url);
  await page.unroute("**/portal/**");
  await link.click();
  await expect(page.getByRole("heading", { name: "Billing portal" })).toBeVisible();
});

test("invoices that Stripe does not hand out can be asked for again", async ({ page }) => {
  await signUp(page);
  await buy(page, "Professional");
  const customer = await customerOf(page);
  // Stripe's client tries a failed request twice more.
  await control("fail", { match: `/v1/invoices ?customer=${customer}`, times: 3 });
  await page.goto("/account/billing-history");
  await expect(page.getByRole("alert")).toContainText("Your invoices could not be loaded");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("row").filter({ hasText: "$9.99" })).toBeVisible();
});
