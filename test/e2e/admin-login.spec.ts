import { ADMIN, expectToast, openAdmin, submitLogin, tab } from "./support/admin.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

test("the admin login names missing and wrong input, and opens the dashboard for the right credentials [ADM-1, ADM-2, ERR-51, ERR-52, NAV-17, NAV-18, VAL-20, VAL-21] @everyday", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/401|503|ERR_FAILED/);
  await page.goto("/admin");
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
  await expect(page.getByLabel("Username")).toHaveAccessibleDescription("Username is required");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription("Password is required");

  await submitLogin(page, ADMIN.username, "not the password");
  await expectToast(page, "Login failed", "Invalid credentials");
  await page.route("**/api/admin/login", (route) =>
    route.fulfill({ status: 503, json: { message: "The office is closed today." } }),
  );
  await submitLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Login failed", "The office is closed today.");
  await page.unroute("**/api/admin/login");
  await page.route("**/api/admin/login", (route) => route.abort());
  await submitLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Login failed", "Invalid credentials");
  await page.unroute("**/api/admin/login");

  await submitLogin(page, ADMIN.username, ADMIN.password);
  await expectToast(page, "Admin login successful", "You are now logged in as an administrator");
  await expect(page).toHaveURL("/admin/dashboard");
  await expect(page.getByText(`Logged in as ${ADMIN.username}`)).toBeVisible();
  await page.goto("/admin");
  await expect(page).toHaveURL("/admin/dashboard");
});

test("the admin login links to the home page [ADM-1]", async ({ page }) => {
  await page.goto("/admin");
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL("/");
});

test("the dashboard redirects everybody but administrators to the login [ADM-3, NAV-18]", async ({ page }) => {
  await page.goto("/admin/dashboard?tab=users");
  await expect(page).toHaveURL("/admin");
  const email = await signUpByApi(page);
  await page.goto("/admin/dashboard?tab=users");
  await expect(page).toHaveURL("/admin");
  const data = await (await page.request.get("/admin/dashboard.data?tab=users", { maxRedirects: 0 })).text();
  expect(data).toContain("/admin");
  expect(data).not.toContain(email);
});

test("a failed logout shows an error; a successful logout ends the session and reloads the page [ADM-4, ADM-5, ERR-53, ERR-54]", async ({
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

test("opening a tab or making a change after the session ended elsewhere redirects to the login", async ({
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
  await expectToast(page, "Creation failed", "Only administrators can do this. Please log in as an administrator.");
  await expect(page).toHaveURL("/admin");
});

test("the open tab is in the URL, and follows the browser's back and forward buttons [ADM-6]", async ({ page }) => {
  await openAdmin(page);
  await expect(page.getByRole("tab").first()).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab")).toHaveText([
    "Users",
    "Expired Files",
    "Contact",
    "SEO",
    "Content",
    "Queue",
    "Reports",
    "Overview",
    "Uploads",
    "Audit",
    "Block List",
    "Cleanup",
  ]);
  await tab(page, "SEO").click();
  await expect(page).toHaveURL("/admin/dashboard?tab=seo");
  await expect(page.getByRole("heading", { name: "SEO Content" })).toBeVisible();
  // With the keyboard only.
  await tab(page, "SEO").press("ArrowRight");
  await expect(tab(page, "Content")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/admin/dashboard?tab=content");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "SEO Content" })).toBeVisible();
  await page.reload();
  await expect(tab(page, "SEO")).toHaveAttribute("aria-selected", "true");
});
