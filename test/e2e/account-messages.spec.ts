import { query } from "./database.ts";
import { expect, test } from "./fixtures.ts";
import { logIn, newEmail, register, signUp, signUpQuietly } from "./people.ts";

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
  const logged = page.waitForEvent("console", (message) => message.text().includes("log out failed"));
  await page.getByRole("button", { name: "Log Out" }).click();
  await logged;
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await expect(page.getByText("Out of order")).toHaveCount(0);
});

test("who is signed in is asked for every 30 seconds from 2 seconds after the page is there, and on focus", async ({
  page,
}) => {
  await page.clock.install();
  await signUpQuietly(page);
  await page.goto("/account");
  await expect(page.getByText("(this session)")).toBeVisible();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/me")) asked += 1;
  });
  await page.clock.runFor(31_000);
  expect(asked).toBe(0);
  const polled = page.waitForResponse("**/api/auth/me");
  await page.clock.runFor(1500);
  await polled;
  expect(asked).toBe(1);

  const focused = page.waitForResponse("**/api/auth/me");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await focused;
});

test("a session that ends elsewhere is noticed, and members' pages are left", async ({ page, expectErrors }) => {
  await page.clock.install();
  // The page may ask for something before it notices.
  expectErrors(/401.*\/api\/(?:subscription|direct-upload|files)/);
  const email = await signUpQuietly(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files" })).toBeVisible();
  await query(`delete from sessions where user_id = (select id from users where email = '${email}')`);
  await page.clock.runFor(33_000);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});
