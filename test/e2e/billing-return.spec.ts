import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUp, signUpByApi } from "./support/accounts.ts";
import {
  expectToast,
  advanceToNextPoll,
  REFRESH_URL,
  updateUserRow,
  pauseClock,
  subscriptionCard,
} from "./support/plans.ts";
import { countResponses } from "./support/waiting.ts";

const UPDATE = "**/api/subscription/manual-update";
const EVERYTHING = new URLSearchParams({
  checkout: "success",
  success: "true",
  session_id: "cs_test_1",
  payment_intent: "pi_1",
  payment_intent_client_secret: "pi_1_secret",
  redirect_status: "succeeded",
  setup_intent: "seti_1",
  setup_intent_client_secret: "seti_1_secret",
  stripe_portal_return: "true",
  plan: "ultimate",
});

test("returning from a payment cleans the URL, polls five times and then requests a manual update [DASH-15, DASH-18, ERR-36, ERR-38]", async ({
  page,
}) => {
  await signUp(page);
  await page.evaluate(() => {
    localStorage.setItem("checkout-attempt", "ultimate");
  });
  await pauseClock(page);
  let polls = 0;
  page.on("request", (request) => {
    if (request.url().includes("refresh=true")) polls += 1;
  });
  await page.goto(`/dashboard?${EVERYTHING}&sort=name`);
  await expectToast(page, "Payment Successful");
  await expect(page).toHaveURL("/dashboard?sort=name");
  await expect(subscriptionCard(page).getByRole("status")).toContainText("Your payment is being confirmed.");
  const start = await page.evaluate(() => Date.now());
  await page.clock.runFor(2900);
  expect(polls).toBe(0);
  await advanceToNextPoll(page);
  await expectToast(page, "Waiting for Activation");
  for (let polls = 0; polls < 3; polls += 1) await advanceToNextPoll(page);
  const update = page.waitForRequest(UPDATE);
  expect((await advanceToNextPoll(page)) - start).toBeGreaterThanOrEqual(5 * 3000);
  expect((await update).postDataJSON()).toEqual({
    planType: "ultimate",
    sessionId: "cs_test_1",
    atPeriodEnd: false,
    isProduction: true,
    redirectStatus: "succeeded",
    checkoutParam: "success",
    referrer: "",
  });
  await expectToast(page, "Subscription Activated", "You are now on the Ultimate plan.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
  await page.clock.runFor(10_000);
  expect(polls).toBe(5);
});

test("after a payment the plan is polled every 3 seconds, 5 times, and then the plan that was chosen before is requested [DASH-16, DASH-18]", async ({
  page,
}) => {
  await signUpByApi(page);
  await page.goto("/");
  await page.evaluate(() => {
    localStorage.setItem("checkout-attempt", "ultimate");
  });
  await pauseClock(page);
  const answers = await countResponses(page, "/current-plan?refresh=true");
  let polls = 0;
  let updates = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/current-plan?refresh=true")) polls += 1;
    if (request.url().endsWith("/manual-update")) updates += 1;
  });
  // The address names no plan.
  await page.goto("/dashboard?success=true");
  await expectToast(page, "Payment Successful");
  const update = page.waitForRequest(UPDATE);
  for (let poll = 1; poll <= 5; poll += 1) {
    await page.clock.runFor(2999);
    expect({ polls, updates }).toEqual({ polls: poll - 1, updates: 0 });
    await page.clock.runFor(1);
    await expect.poll(() => polls).toBe(poll);
    await expect.poll(answers).toBe(poll);
  }
  expect((await update).postDataJSON()).toMatchObject({ planType: "ultimate" });
  await expectToast(page, "Subscription Activated", "You are now on the Ultimate plan.");
  await page.clock.runFor(60_000);
  expect({ polls, updates }).toEqual({ polls: 5, updates: 1 });
});

test("polling stops when the plan is active [DASH-17, ERR-37]", async ({ page }) => {
  const email = await signUp(page);
  await pauseClock(page);
  let requestCount = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/subscription/")) requestCount += 1;
  });
  await page.goto("/dashboard?success=true");
  await expectToast(page, "Payment Successful");
  await advanceToNextPoll(page);
  await updateUserRow(email, "plan_type = 'professional'");
  await advanceToNextPoll(page);
  await expectToast(page, "Subscription Activated", "You are now on the Professional plan.");
  await expect(subscriptionCard(page)).toContainText("Professional");
  await expect(subscriptionCard(page).getByRole("status")).toBeHidden();
  await page.clock.runFor(20_000);
  expect(requestCount).toBe(2);
});

test("a plan without a payment is not activated, and the server's answer is shown [DASH-18, ERR-38]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  await pauseClock(page);
  expectErrors(/402|500/);
  await page.route(UPDATE, (route) =>
    route.fulfill({ status: 402, json: { message: "This plan has not been paid for, so nothing was changed." } }),
  );
  // A failed poll is retried.
  await page.route(REFRESH_URL, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }), {
    times: 2,
  });
  await page.goto("/dashboard?payment_intent=pi_1&redirect_status=succeeded");
  await expectToast(page, "Payment Successful");
  for (let polls = 0; polls < 4; polls += 1) await advanceToNextPoll(page);
  const update = page.waitForRequest(UPDATE);
  await advanceToNextPoll(page);
  // No stored checkout attempt.
  expect((await update).postDataJSON()).toMatchObject({ planType: "professional", sessionId: null });
  await expectToast(page, "Waiting for Activation", "This plan has not been paid for, so nothing was changed.");
  await expect(subscriptionCard(page)).toContainText("Free");
});

test("a canceled checkout, a failed payment, a portal visit and a saved card each show their own toast [DASH-15]", async ({
  page,
}) => {
  await signUpByApi(page);
  await page.goto("/dashboard?checkout=cancelled&plan=ultimate");
  await expectToast(page, "Checkout canceled", "You were not charged, and your plan has not changed.");
  await expect(page).toHaveURL("/dashboard");

  await page.goto("/dashboard?payment_intent=pi_1&redirect_status=failed");
  await expectToast(page, "Payment failed", "You were not charged, and your plan has not changed.");
  await expect(page).toHaveURL("/dashboard");

  for (const search of ["stripe_portal_return=true", "setup_intent=seti_1&redirect_status=succeeded"]) {
    const refreshResponse = page.waitForResponse(REFRESH_URL);
    await page.goto(`/dashboard?${search}`);
    await refreshResponse;
    await expectToast(page, "Subscription data refreshed", "You are on the Free plan.");
    await expect(page).toHaveURL("/dashboard");
  }
});

test("a failed refresh after a portal visit shows 'Refresh Issue' [ERR-39]", async ({ page, expectErrors }) => {
  await signUp(page);
  expectErrors(/500/);
  await page.route(REFRESH_URL, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.goto("/dashboard?stripe_portal_return=true");
  await expectToast(page, "Refresh Issue", "Out of order");
});

test("a user who was signed out during the payment logs in, and the payment is still handled [DASH-15]", async ({
  page,
  openBrowser,
}) => {
  const email = await signUp(page);
  await query(`update users set plan_type = 'professional' where email = '${email}'`);
  const other = await openBrowser();
  await other.goto("/dashboard?checkout=success&plan=professional");
  await expect(other.getByRole("dialog").getByRole("tab", { name: "Log In" })).toBeVisible();
  await logIn(other, email);
  await expectToast(other, "Subscription Activated", "You are now on the Professional plan.");
  await expect(other).toHaveURL("/dashboard");

  const visitor = await openBrowser();
  await visitor.goto("/dashboard");
  await expect(visitor).toHaveURL("/");
});
