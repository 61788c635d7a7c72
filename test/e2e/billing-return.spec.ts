import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUp, signUpQuietly } from "./support/accounts.ts";
import { expectToast, poll, REFRESH, setUser, stopClock, subscriptionCard } from "./support/plans.ts";

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

test("coming back from paying: the address is cleaned, and five polls later the server is asked for the plan", async ({
  page,
}) => {
  await signUp(page);
  await page.evaluate(() => {
    localStorage.setItem("checkout-attempt", "ultimate");
  });
  await stopClock(page);
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
  await poll(page);
  await expectToast(page, "Waiting for Activation");
  for (let more = 0; more < 3; more += 1) await poll(page);
  const update = page.waitForRequest(UPDATE);
  expect((await poll(page)) - start).toBeGreaterThanOrEqual(5 * 3000);
  expect((await update).postDataJSON()).toEqual({
    planType: "ultimate",
    sessionId: "cs_test_1",
    atPeriodEnd: false,
    isProduction: true,
    redirectStatus: "succeeded",
    checkoutParam: "success",
    referrer: "",
  });
  await expectToast(page, "Subscription Activated", "You are on the Ultimate plan now.");
  await expect(subscriptionCard(page)).toContainText("Priority Support");
  await page.clock.runFor(10_000);
  expect(polls).toBe(5);
});

test("polling stops when the plan is there", async ({ page }) => {
  const email = await signUp(page);
  await stopClock(page);
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/subscription/")) asked += 1;
  });
  await page.goto("/dashboard?success=true");
  await expectToast(page, "Payment Successful");
  await poll(page);
  await setUser(email, "plan_type = 'professional'");
  await poll(page);
  await expectToast(page, "Subscription Activated", "You are on the Professional plan now.");
  await expect(subscriptionCard(page)).toContainText("Professional");
  await expect(subscriptionCard(page).getByRole("status")).toBeHidden();
  await page.clock.runFor(20_000);
  expect(asked).toBe(2);
});

test("a plan that was not paid for stays away, and the answer is told", async ({ page, expectErrors }) => {
  await signUp(page);
  await stopClock(page);
  expectErrors(/402|500/);
  await page.route(UPDATE, (route) =>
    route.fulfill({ status: 402, json: { message: "This plan has not been paid for. Nothing was changed." } }),
  );
  // An answer that does not come is one that says nothing yet.
  await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }), { times: 2 });
  await page.goto("/dashboard?payment_intent=pi_1&redirect_status=succeeded");
  await expectToast(page, "Payment Successful");
  for (let polls = 0; polls < 4; polls += 1) await poll(page);
  const update = page.waitForRequest(UPDATE);
  await poll(page);
  // Nobody remembers what was wanted.
  expect((await update).postDataJSON()).toMatchObject({ planType: "professional", sessionId: null });
  await expectToast(page, "Waiting for Activation", "This plan has not been paid for. Nothing was changed.");
  await expect(subscriptionCard(page)).toContainText("Free");
});

test("canceled, failed, back from the portal, a card only stored: each says what happened", async ({ page }) => {
  await signUpQuietly(page);
  await page.goto("/dashboard?checkout=cancelled&plan=ultimate");
  await expectToast(page, "Checkout canceled", "Nothing was charged, and your plan is as it was.");
  await expect(page).toHaveURL("/dashboard");

  await page.goto("/dashboard?payment_intent=pi_1&redirect_status=failed");
  await expectToast(page, "Payment failed", "Nothing was charged, and your plan is as it was.");
  await expect(page).toHaveURL("/dashboard");

  for (const search of ["stripe_portal_return=true", "setup_intent=seti_1&redirect_status=succeeded"]) {
    const asked = page.waitForResponse(REFRESH);
    await page.goto(`/dashboard?${search}`);
    await asked;
    await expectToast(page, "Subscription data refreshed", "You are on the Free plan.");
    await expect(page).toHaveURL("/dashboard");
  }
});

test("back from the portal, a refresh that fails is a Refresh Issue", async ({ page, expectErrors }) => {
  await signUp(page);
  expectErrors(/500/);
  await page.route(REFRESH, (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.goto("/dashboard?stripe_portal_return=true");
  await expectToast(page, "Refresh Issue", "Out of order");
});

test("who was signed out meanwhile signs in first, and the payment is still remembered", async ({
  page,
  openBrowser,
}) => {
  const email = await signUp(page);
  await query(`update users set plan_type = 'professional' where email = '${email}'`);
  const other = await openBrowser();
  await other.goto("/dashboard?checkout=success&plan=professional");
  await expect(other.getByRole("dialog").getByRole("tab", { name: "Log In" })).toBeVisible();
  await logIn(other, email);
  await expectToast(other, "Subscription Activated", "You are on the Professional plan now.");
  await expect(other).toHaveURL("/dashboard");

  const visitor = await openBrowser();
  await visitor.goto("/dashboard");
  await expect(visitor).toHaveURL("/");
});
