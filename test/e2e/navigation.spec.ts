import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

test("a page that fails to load can be retried, and loads by itself after reconnecting @everyday", async ({
  page,
  expectErrors,
}) => {
  await signUpByApi(page);
  // With the manifest, the page requests a link's scripts and data in parallel.
  const manifestLoaded = page.waitForResponse("**/__manifest?*");
  await page.goto("/");
  await (await manifestLoaded).finished();
  // Lost when the page is reloaded.
  await page.evaluate(() => Object.assign(window, { isOriginalDocument: true }));
  const link = (name: string) => page.getByRole("contentinfo").getByRole("link", { name });
  const content = page.getByRole("heading", { name: "Everything a file needs" });
  expectErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|fetching the script/);
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  // With the keyboard: hovering would preload the scripts.
  await link("Features").press("Enter");
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(content).toBeVisible();

  await link("About").click();
  await expect(content).toBeHidden();
  await page.route("**/features.data*", (route) => route.abort());
  await link("Features").click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await page.unroute("**/features.data*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(content).toBeVisible();
  expect(await page.evaluate(() => "isOriginalDocument" in window)).toBe(true);
});

test("hovering a link preloads its page's scripts; its data, which is not cacheable, loads on click", async ({
  page,
}) => {
  await page.goto("/");
  const scripts: string[] = [];
  const data: [string, number][] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/assets/")) scripts.push(pathname);
    if (pathname.endsWith(".data")) data.push([pathname, response.status()]);
  });
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Features" });
  await link.hover();
  await expect.poll(() => scripts.some((path) => path.includes("/features"))).toBe(true);
  await expect.poll(() => data).toEqual([["/features.data", 204]]);
  const preloadedCount = scripts.length;
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Everything a file needs");
  expect(data.map(([, status]) => status)).toEqual([204, 200]);
  expect(scripts.slice(preloadedCount)).toEqual([]);
});

test("a bar shows that the next page is loading", async ({ page }) => {
  await signUpByApi(page);
  await page.goto("/account");
  const bar = page.locator(".loading-bar");
  await expect(bar).toHaveCount(0);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/account/security.data*", async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole("link", { name: "Security" }).press("Enter");
  await expect(bar).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1, name: "Security" })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test("offline, a page says so, and what was typed can be sent once the line is back @everyday", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch|fetching the script/);
  await signUpByApi(page);
  await page.goto("/dashboard/requests");
  await page.getByRole("button", { name: "Make your first request" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "What do you need?" }).fill("Pictures of the party");
  const notice = page.getByText(
    "No internet connection. What you typed stays here. Try again once you are back online.",
  );
  await expect(notice).toHaveCount(0);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  const save = dialog.getByRole("button", { name: "Make the link" });
  await save.click();
  await expect(save).toBeEnabled();
  await page.context().setOffline(false);
  await expect(notice).toHaveCount(0);
  const failure = page.getByText("The server cannot be reached. Check your internet connection, and try again.", {
    exact: true,
  });
  await expect(failure).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "What do you need?" })).toHaveValue("Pictures of the party");
  await save.click();
  await expect(page.locator("main").getByText("Pictures of the party")).toBeAttached();
});

test("a failed preload of a hovered link's scripts does not reload the page", async ({ page, expectErrors }) => {
  expectErrors(/ERR_FAILED/);
  const manifestLoaded = page.waitForResponse("**/__manifest?*");
  await page.goto("/");
  await (await manifestLoaded).finished();
  await page.evaluate(() => Object.assign(window, { isOriginalDocument: true }));
  const link = (name: string) => page.getByRole("contentinfo").getByRole("link", { name });
  await page.route("**/assets/features-*.js", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/features-"));
  await link("Features").hover();
  await failed;
  await page.unroute("**/assets/features-*.js");
  await link("About").click();
  await expect(page).toHaveURL("/about");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("About");
  expect(await page.evaluate(() => "isOriginalDocument" in window)).toBe(true);
});

test("the sign-in dialog, the upload engine and toasts load after reconnecting", async ({ page, expectErrors }) => {
  expectErrors(/ERR_FAILED|503/);
  const disconnect = () => page.route("**/assets/*.js", (route) => route.abort());
  const reconnect = () => page.unroute("**/assets/*.js");
  const waitForFailure = (name: string) =>
    page.waitForEvent("requestfailed", (request) => request.url().includes(`/assets/${name}-`));

  await page.goto("/");
  await disconnect();
  const dialogFailed = waitForFailure("load-auth-dialog");
  await page.getByRole("button", { name: "Sign up" }).first().click();
  await dialogFailed;
  await reconnect();
  await expect(page.getByRole("dialog")).toBeVisible();

  await signUpByApi(page);
  await page.goto("/");
  await disconnect();
  const engineFailed = waitForFailure("on-demand");
  await chooseFile(page, await randomFile("offline.txt", 10));
  await engineFailed;
  await reconnect();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();

  const toasts = "**/assets/toast-list-*.js";
  const unavailable = page.waitForResponse(toasts);
  await page.route(toasts, (route) => route.fulfill({ status: 503 }));
  await page.getByRole("button", { name: "Copy" }).click();
  await unavailable;
  await page.unroute(toasts);
  await expect(page.getByText("Link copied", { exact: true })).toBeVisible();
});

test("an unknown address shows 'Page Not Found'", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  expect((await page.goto("/no/such/page"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
});
