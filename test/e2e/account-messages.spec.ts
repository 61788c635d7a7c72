import type { Page } from "@playwright/test";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, newEmail, register, signUp, signUpByApi } from "./support/accounts.ts";
import { countResponses } from "./support/waiting.ts";

const ME = "/api/auth/me";

/** Call it before the page opens. @returns reads the page's times of its requests to a path */
async function timesOfRequests(page: Page, path: string): Promise<() => Promise<number[]>> {
  await page.addInitScript((timedPath) => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    const { fetch } = globalThis;
    globalThis.fetch = (resource, options) => {
      const url = resource instanceof Request ? resource.url : resource.toString();
      if (url.endsWith(timedPath)) times.push(Date.now());
      return fetch(resource, options);
    };
  }, path);
  return () => page.evaluate(() => Reflect.get(globalThis, "times") as number[]);
}

test("server errors in the sign-in forms are shown as toasts and keep the form open [ERR-8, ERR-10, ERR-12]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/500|503/);
  await page.route("**/api/auth/register", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await page.goto("/register");
  await register(page);
  await expect(page.getByText("Registration failed", { exact: true })).toBeVisible();
  await expect(page.getByText("Out of order", { exact: true })).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Create account" })).toBeEnabled();

  await page.route("**/api/auth/login", (route) =>
    route.fulfill({ status: 503, body: "Busy", contentType: "text/plain" }),
  );
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, newEmail());
  await expect(page.getByText("Login failed", { exact: true })).toBeVisible();
  await expect(page.getByText("Busy", { exact: true })).toBeVisible();

  await page.route("**/api/auth/reset-password", (route) =>
    route.fulfill({ status: 500, json: { error: "No mail today" } }),
  );
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText("Failed to send reset link", { exact: true })).toBeVisible();
  await expect(page.getByText("No mail today", { exact: true })).toBeVisible();
});

test("signing up and logging in show a toast [ERR-13, ERR-14]", async ({ page }) => {
  await page.goto("/register");
  const email = await register(page);
  await expect(page.getByText("Account created successfully", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Log Out" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByText("Logged in successfully", { exact: true })).toBeVisible();
});

test("a failed log-out request is only logged, and the page still signs out [ERR-16]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/500|log out failed/);
  await page.route("**/api/auth/logout", (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.route("**/api/auth/me", (route) => route.fulfill({ json: null }));
  const logged = page.waitForEvent("console", (message) => message.text().includes("log out failed"));
  await page.getByRole("button", { name: "Log Out" }).click();
  await logged;
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await expect(page.getByText("Out of order")).toHaveCount(0);
});

test("the current user is fetched every 30 s, starting 2 s after the page loads, and on focus [API-4]", async ({
  page,
}) => {
  await page.clock.install();
  await signUpByApi(page);
  const answers = await countResponses(page, ME);
  const readTimes = await timesOfRequests(page, ME);
  const startedAt = Date.now();
  await page.goto("/account/security");
  await expect(page.getByText("(this session)")).toBeVisible();
  const pausedAt = await page.evaluate(() => Date.now() + 1000);
  await page.clock.pauseAt(pausedAt);
  /** Advances the clock until a request, and waits for its answer. @returns the page's time of the request */
  const timeOf = async (request: number) => {
    let time: number | undefined;
    while ((time = (await readTimes())[request - 1]) === undefined) await page.clock.runFor(500);
    await expect.poll(answers).toBe(request);
    return time;
  };
  const first = await timeOf(1);
  expect(first).toBeGreaterThanOrEqual(startedAt + 32_000);
  expect(first).toBeLessThan(pausedAt + 34_000);
  const second = await timeOf(2);
  expect(second).toBeGreaterThanOrEqual(first + 30_000);
  // The wait begins with the answer, up to a step later.
  expect(second).toBeLessThanOrEqual(first + 30_500);

  // The clock is paused, so only focusing can send a request; it sends none while an answer is being read.
  const focusPage = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    return (await readTimes()).length;
  };
  await expect.poll(focusPage).toBeGreaterThan(2);
});

test("a session that ends elsewhere redirects members' pages to the home page", async ({ page, expectErrors }) => {
  await page.clock.install();
  // The page may send requests before it notices.
  expectErrors(/401.*\/api\/(?:subscription|direct-upload|files)|\/ws\/account/);
  const email = await signUpByApi(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files" })).toBeVisible();
  await query(`delete from sessions where user_id = (select id from users where email = '${email}')`);
  // The page may start its timers late: advance the clock until it redirects.
  await expect(async () => {
    await page.clock.runFor(33_000);
    await expect(page).toHaveURL("/", { timeout: 500 });
  }).toPass();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});

test("a 401 for the current user signs the page out and redirects members' pages to the home page", async ({
  page,
  expectErrors,
}) => {
  await page.clock.install();
  expectErrors(/401|\/ws\/account/);
  const email = await signUpByApi(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files" })).toBeVisible();
  await query(`delete from sessions where user_id = (select id from users where email = '${email}')`);
  await page.route(`**${ME}`, (route) => route.fulfill({ status: 401, json: { message: "Unauthorized" } }));
  await page.clock.runFor(33_000);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});
