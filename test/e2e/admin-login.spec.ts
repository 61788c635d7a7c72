import { ADMIN, expectToast, openAdmin, sendLogin, tab } from "./support/admin.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpQuietly } from "./support/accounts.ts";

test("the login: what is missing or wrong is said, and the right words open the dashboard", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/401|503|ERR_FAILED/);
  await page.goto("/admin");
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
  await expect(page.getByLabel("Username")).toHaveAccessibleDescription("Username is required");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription("Password is required");

  await sendLogin(page, ADMIN.username, "not the password");
  await expectToast(page, "Login failed", "Invalid credentials");
  await page.route("**/api/admin/login", (route) =>
    route.fulfill({ status: 503, json: { message: "The office is closed today." } }),
  );
  await sendLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Login failed", "The office is closed today.");
  await page.unroute("**/api/admin/login");
  await page.route("**/api/admin/login", (route) => route.abort());
  await sendLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Login failed", "Invalid credentials");
  await page.unroute("**/api/admin/login");

  await sendLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Admin login successful", "You are now logged in as an administrator");
  await expect(page).toHaveURL("/admin/dashboard");
  await expect(page.getByText(`Logged in as ${ADMIN.username}`)).toBeVisible();
  await page.goto("/admin");
  await expect(page).toHaveURL("/admin/dashboard");
});

test("the login leads back home", async ({ page }) => {
  await page.goto("/admin");
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL("/");
});

test("whoever is no administrator is sent to the login, and sees nothing of the dashboard", async ({ page }) => {
  await page.goto("/admin/dashboard?tab=users");
  await expect(page).toHaveURL("/admin");
  const email = await signUpQuietly(page);
  await page.goto("/admin/dashboard?tab=users");
  await expect(page).toHaveURL("/admin");
  const data = await (await page.request.get("/admin/dashboard.data?tab=users", { maxRedirects: 0 })).text();
  expect(data).toContain("/admin");
  expect(data).not.toContain(email);
});

test("logout: a failure is said; then the session has ended, and everything is loaded anew", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/500/);
  await openAdmin(page);
  await page.route("**/api/admin/logout", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
  await page.getByRole("button", { name: "Logout" }).click();
  await expectToast(page, "Logout failed", "There was a problem logging out");
  await page.unroute("**/api/admin/logout");

  await page.evaluate(() => {
    document.documentElement.dataset.former = "yes";
  });
  await page.getByRole("button", { name: "Logout" }).click();
  await expectToast(page, "Logged out", "Admin session ended successfully");
  await expect(page).toHaveURL("/admin");
  await expect(page.locator("html[data-former]")).toHaveCount(0);
  await page.goto("/admin/dashboard");
  await expect(page).toHaveURL("/admin");
});

test("a session that has ended elsewhere leads to the login, by a tab and by a change", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/403/);
  await openAdmin(page);
  await page.context().clearCookies();
  await tab(page, "Contact").click();
  await expect(page).toHaveURL("/admin");

  await openAdmin(page, "?tab=seo&edit=new");
  await page.getByLabel("Page path").fill("/nowhere");
  await page.getByLabel("Title", { exact: true }).fill("Nowhere");
  await page.getByLabel("Description", { exact: true }).fill("Nothing");
  await page.getByLabel("Keywords").fill("none");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create" }).click();
  await expectToast(page, "Creation failed", "Only administrators can do this. Log in as one first.");
  await expect(page).toHaveURL("/admin");
});

test("the tabs stand in the address, and go back and forth with it", async ({ page }) => {
  await openAdmin(page);
  await expect(page.getByRole("tab").first()).toHaveAttribute("aria-selected", "true");
  const names = await page.getByRole("tab").allTextContents();
  expect(names.slice(0, 5)).toEqual(["Users", "Expired Files", "Contact", "SEO", "Content"]);
  await tab(page, "SEO").click();
  await expect(page).toHaveURL("/admin/dashboard?tab=seo");
  await expect(page.getByRole("heading", { name: "SEO Content" })).toBeVisible();
  // By the keyboard alone.
  await tab(page, "SEO").press("ArrowRight");
  await expect(tab(page, "Content")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/admin/dashboard?tab=content");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "SEO Content" })).toBeVisible();
  await page.reload();
  await expect(tab(page, "SEO")).toHaveAttribute("aria-selected", "true");
});
