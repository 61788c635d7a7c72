import { expect, test } from "./support/fixtures.ts";
import { findMailedLink } from "./support/mailbox.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { logIn, newEmail, PASSWORD, register, signUp } from "./support/accounts.ts";
import { expectToast, pauseClock } from "./support/plans.ts";
import { openWithFakeClock } from "./support/waiting.ts";

test("the sign-in dialog opens on Register, shows errors at their fields and keeps the focus inside [AUTH-1, AUTH-5, AUTH-6, VAL-2, VAL-3, VAL-4, VAL-5, VAL-6, VAL-14]", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Sign Up" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByText("A valid email address, such as name@example.com")).toBeVisible();

  const create = dialog.getByRole("button", { name: "Create account" });
  const password = dialog.getByLabel("Password", { exact: true });
  const confirmed = dialog.getByLabel("Confirm password");
  await dialog.getByLabel("Email").fill("nonsense");
  await password.fill("12345");
  await confirmed.fill("12345");
  await create.click();
  await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription(/Please enter a valid email address/);
  await expect(dialog.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(password).toHaveAccessibleDescription("Password must be at least 6 characters");
  await expect(confirmed).toHaveAccessibleDescription("Password must be at least 6 characters");
  await dialog.getByLabel("Email").fill(newEmail());
  await password.fill("123456");
  await create.click();
  await expect(password).toHaveAccessibleDescription("");
  await expect(confirmed).toHaveAccessibleDescription("Password must be at least 6 characters");
  await confirmed.fill("1234567");
  await create.click();
  await expect(confirmed).toHaveAccessibleDescription("Passwords don't match");

  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press("Tab");
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("after the sign-in dialog the focus is back at what opened it, whatever came between", async ({ page }) => {
  await page.goto("/");
  const dialog = page.getByRole("dialog");
  const logInButton = page.getByRole("banner").getByRole("button", { name: "Log In" });
  await logInButton.click();
  await dialog.getByRole("button", { name: "Forgot password?" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByRole("tab", { name: "Log In" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(logInButton).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Menu" }).click();
  await logInButton.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Menu" })).toBeFocused();
});

test("registering an existing address opens the login tab after 1.5 s with the address filled in [AUTH-10, ERR-11, VAL-6]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await signUp(page);
  const other = await openBrowser();
  await pauseClock(other);
  await other.goto("/register");
  expectErrors(/409/);
  const sent = other.waitForRequest("**/api/auth/register");
  await register(other, email);
  expect((await sent).postDataJSON()).toEqual({ email, password: PASSWORD });
  await expectToast(
    other,
    "Email already in use",
    "This email address is already registered. Switching to login form.",
  );
  const dialog = other.getByRole("dialog");
  await other.clock.runFor(1499);
  await expect(dialog.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");
  await other.clock.runFor(1);
  await expect(dialog.getByRole("tab", { name: "Log In" })).toHaveAttribute("aria-selected", "true");
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
});

test("login shows a wrong password, closes the dialog on success, and stays signed in with Remember me [API-1, AUTH-3, AUTH-4, AUTH-12, AUTH-19, ERR-8, VAL-1] @everyday", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await signUp(page);
  const other = await openBrowser();
  await other.goto("/");
  await other.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  expectErrors(/401/);
  await logIn(other, email, "not this one");
  await expect(other.getByText("Login failed", { exact: true })).toBeVisible();
  await expect(
    other.getByText("The password you entered is incorrect. Please try again or use the Forgot Password link.", {
      exact: true,
    }),
  ).toBeVisible();

  const sessionCookie = async () =>
    (await other.context().cookies()).find(({ name }) => name.endsWith("session_token"));
  await logIn(other, email);
  await expect(other.getByText("Logged in successfully", { exact: true })).toBeVisible();
  await expect(other.getByRole("dialog")).toBeHidden();
  expect((await sessionCookie())?.expires).toBe(-1);

  await other.getByRole("button", { name: "Log Out" }).click();
  await other.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await other.getByLabel("Remember me").check();
  await logIn(other, email);
  await expect(other.getByRole("link", { name: "Dashboard" })).toBeVisible();
  expect((await sessionCookie())?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400);
});

test("a registration and a login each ask the server anew who is signed in [AUTH-11]", async ({ page }) => {
  const asked = () => page.waitForResponse("**/api/auth/me");
  // Else the page asks every 30 seconds, too.
  await page.addInitScript(() => {
    Object.assign(globalThis, { setInterval: () => 0 });
  });
  await page.goto("/register");
  const afterRegistration = asked();
  const email = await register(page);
  expect(await (await afterRegistration).json()).toMatchObject({ email });
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("banner").getByRole("button", { name: "Log In" })).toBeVisible();
  await page.goto("/login");
  const afterLogin = asked();
  await logIn(page, email);
  expect(await (await afterLogin).json()).toMatchObject({ email });
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
});

test("logging out opens the home page here and in other tabs [AUTH-14, AUTH-15, NAV-6]", async ({
  page,
  context,
  expectErrors,
}) => {
  // The other tab may send requests before it notices that the session has ended.
  expectErrors(/401.*\/api\/(?:subscription|direct-upload|files)/);
  await signUp(page);
  const tab = await context.newPage();
  await tab.goto("/dashboard");
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
  await expect(tab).toHaveURL("/");
  await expect(tab.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();
});

test("logging out clears the cached data, fetches the current user and opens the home page [AUTH-15]", async ({
  page,
  request,
  expectErrors,
}) => {
  // The page may fetch its lists once more before it navigates.
  expectErrors(/401.*\/api\/auth\/(sessions|devices|events|totp|passkeys)/);
  const email = await signUp(page);
  await openWithFakeClock(page, "/account/security");
  await expect(page.getByText("(this session)")).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  const others = page.getByRole("button", { name: /^End session on/ });
  await expect(others).toHaveCount(0);
  const userFetched = page.waitForResponse("**/api/auth/logout").then(() => page.waitForRequest("**/api/auth/me"));
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/");
  // The clock is paused, so this is not a poll.
  await userFetched;
  await page.clock.resume();

  // The same document must not show the cached sessions after the next login.
  expect((await request.post("/api/auth/login", { data: { email, password: PASSWORD } })).ok()).toBe(true);
  await page.getByRole("banner").getByRole("button", { name: "Log In" }).click();
  await logIn(page, email);
  await page.getByRole("banner").getByRole("link", { name: "Account" }).click();
  await page.getByRole("link", { name: "Security", exact: true }).click();
  await expect(others).toHaveCount(1);
});

test("the mailed reset link sets a new password once and ends the other sessions [AUTH-3, AUTH-7, AUTH-18, AUTH-20, AUTH-21, ERR-15, MAIL-2, VAL-7]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const email = await signUp(page);
  const other = await openBrowser();
  await other.goto("/login");
  await other.getByLabel("Email").fill(email);
  await other.getByRole("button", { name: "Forgot password?" }).click();
  const dialog = other.getByRole("dialog", { name: "Reset Password" });
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await other.getByRole("button", { name: "Forgot password?" }).click();
  await dialog.getByLabel("Email").fill("");
  await dialog.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(other.getByText("Email required", { exact: true })).toBeVisible();
  await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription("Please enter your email address");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Send Reset Link" }).click();
  await expectToast(
    other,
    "Password reset link sent",
    "Please check your email for instructions to reset your password.",
  );

  const link = await findMailedLink(other, email, /Set a new password/);
  expect(new URL(link).origin).toBe(new URL(other.url()).origin);
  const setPassword = async () => {
    await other.goto(link);
    await other.getByLabel("New password", { exact: true }).fill("a better password");
    await other.getByLabel("Confirm new password").fill("a better password");
    await other.getByRole("button", { name: "Set password" }).click();
  };
  await setPassword();
  await expect(other.getByRole("dialog").getByRole("tab", { name: "Log In" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign Up" })).toBeVisible();

  expectErrors(/400/);
  await setPassword();
  await expect(other.getByRole("alert")).toContainText("This link has already been used or has expired.");

  await other.goto("/login");
  await logIn(other, email, "a better password");
  await expect(other.getByRole("link", { name: "Dashboard" })).toBeVisible();
});

test("the account page changes the address and password, ends sessions, and deletes the account with its files [AUTH-23, NAV-26]", async ({
  page,
  openBrowser,
  request,
  expectErrors,
}) => {
  const email = await signUp(page);
  await chooseFile(page, await randomFile("mine.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const other = await openBrowser();
  await other.goto("/login?returnTo=/account");
  await logIn(other, email);
  await expect(other.getByRole("heading", { name: "Your account", exact: true })).toBeVisible();

  await page.goto("/account");
  await page.getByRole("link", { name: "Security", exact: true }).click();
  await expect(page.getByText("(this session)")).toBeVisible();
  await page.getByRole("button", { name: /^End session on/ }).click();
  await expect(page.getByRole("button", { name: /^End session on/ })).toBeHidden();
  await other.reload();
  await expect(other).toHaveURL("/");

  const changedEmail = newEmail();
  await page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: "Account" }).click();
  await page.getByLabel("New email").fill(changedEmail);
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Email updated", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText(changedEmail)).toBeVisible();

  await page.getByRole("link", { name: "Security", exact: true }).click();
  expectErrors(/403/);
  await page.getByLabel("Current password").fill("not this one");
  await page.getByLabel("New password", { exact: true }).fill("a better password");
  await page.getByLabel("Confirm new password").fill("a better password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The current password is incorrect.", { exact: true })).toBeVisible();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed", { exact: true })).toBeVisible();

  await page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("dialog").getByLabel("Your password").fill("a better password");
  await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByText("Account deleted", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/");
  expect((await request.get(link)).ok()).toBe(false);

  await findMailedLink(other, email, /email address of your \S+ account was changed/);
  await findMailedLink(other, changedEmail, /password was changed/);
  expectErrors(/401/);
  await page.goto("/login");
  await logIn(page, changedEmail, "a better password");
  await expect(page.getByText("Login failed", { exact: true })).toBeVisible();
});

test("/plans redirects to the prices; /login and /register open their tab and never redirect to another site [NAV-24, NAV-25]", async ({
  page,
  request,
}) => {
  expect((await request.get("/plans", { maxRedirects: 0 })).headers().location).toBe("/pricing");
  await page.goto("/login");
  await expect(page.getByRole("tab", { name: "Log In" })).toHaveAttribute("aria-selected", "true");
  await page.goto("/register");
  await expect(page.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");
  for (const foreignAddress of ["https://example.com/", "//example.com/", "/\\example.com"]) {
    const answer = await request.get(`/login?returnTo=${encodeURIComponent(foreignAddress)}`, { maxRedirects: 0 });
    expect(answer.headers().location).not.toContain("example.com");
  }
});

test("a verification link that was cut off says what to do", async ({ page }) => {
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await page.goto("/verify-email");
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(calls).not.toContain("/api/auth/verify-email");
});
