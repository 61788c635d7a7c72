import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, newEmail, register, signUp, signUpQuietly } from "./support/accounts.ts";

const ME = "/api/auth/me";

test("what goes wrong on the server is said in the catalogue's words, and the form stays", async ({
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

test("signing up and logging in say so", async ({ page }) => {
  await page.goto("/register");
  const email = await register(page);
  await expect(page.getByText("Account created successfully", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Log Out" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByText("Logged in successfully", { exact: true })).toBeVisible();
});

test("a log out that fails is told to the console alone, and the page forgets the person all the same", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/500|log out failed/);
  await page.route("**/api/auth/logout", (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.route("**/api/auth/me", (route) => route.fulfill({ json: null }));
  const withRequestLog = page.waitForEvent("console", (message) => message.text().includes("log out failed"));
  await page.getByRole("button", { name: "Log Out" }).click();
  await withRequestLog;
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await expect(page.getByText("Out of order")).toHaveCount(0);
});

test("who is signed in is asked for every 30 seconds from 2 seconds after the page is there, and on focus", async ({
  page,
}) => {
  await page.clock.install();
  await signUpQuietly(page);
  const begun = Date.now();
  await page.goto("/account");
  await expect(page.getByText("(this session)")).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(ME)) asked += 1;
  });
  /** Lets time go on until it has been asked for once more. @returns the page's clock at that moment */
  const nextAsked = async () => {
    const answer = page.waitForResponse(`**${ME}`);
    const before = asked;
    while (asked === before) await page.clock.runFor(500);
    await answer;
    return page.evaluate(() => Date.now());
  };
  expect(await nextAsked()).toBeGreaterThanOrEqual(begun + 32_000);
  await page.clock.runFor(28_000);
  expect(asked).toBe(1);
  await nextAsked();
  expect(asked).toBe(2);

  // Time stands still, so nothing but the return to the page can ask; it does not while an answer is being read.
  const comeBack = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    return asked;
  };
  await expect.poll(comeBack).toBeGreaterThan(2);
});

test("a session that ends elsewhere is noticed, and members' pages are left", async ({ page, expectErrors }) => {
  await page.clock.install();
  // The page may ask for something before it notices.
  expectErrors(/401.*\/api\/(?:subscription|direct-upload|files)/);
  const email = await signUpQuietly(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files" })).toBeVisible();
  await query(`delete from sessions where user_id = (select id from users where email = '${email}')`);
  // The page starts its timers in its own time: the clock goes on until it has noticed.
  await expect(async () => {
    await page.clock.runFor(33_000);
    await expect(page).toHaveURL("/", { timeout: 500 });
  }).toPass();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});

test("an answer of 401 to who is signed in means nobody: the person's name goes, and members' pages are left", async ({
  page,
  expectErrors,
}) => {
  await page.clock.install();
  expectErrors(/401/);
  const email = await signUpQuietly(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files" })).toBeVisible();
  await query(`delete from sessions where user_id = (select id from users where email = '${email}')`);
  await page.route(`**${ME}`, (route) => route.fulfill({ status: 401, json: { message: "Unauthorized" } }));
  await page.clock.runFor(33_000);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});
