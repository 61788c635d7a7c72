import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

test("a page that does not come can be asked for again, and comes by itself once the line is back", async ({
  page,
  expectErrors,
}) => {
  await signUpByApi(page);
  // Once the page knows where its links lead, it asks for their scripts and data at the same time.
  const known = page.waitForResponse("**/__manifest?*");
  await page.goto("/");
  await (await known).finished();
  // An upload would end with the document.
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  const link = (name: string) => page.getByRole("contentinfo").getByRole("link", { name });
  const content = page.getByRole("heading", { name: "Everything a file needs" });
  expectErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|fetching the script/);
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  // Without a pointer that rests on it first, when its scripts would come.
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
  expect(await page.evaluate(() => "isFirst" in window)).toBe(true);
});

test("a page's scripts come when a pointer rests on its link; its data, which may not be kept, with the click", async ({
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
  const early = scripts.length;
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Everything a file needs");
  expect(data.map(([, status]) => status)).toEqual([204, 200]);
  expect(scripts.slice(early)).toEqual([]);
});

test("a pointer that rests on a link whose scripts do not come leaves the page as it is", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/);
  const known = page.waitForResponse("**/__manifest?*");
  await page.goto("/");
  await (await known).finished();
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  const link = (name: string) => page.getByRole("contentinfo").getByRole("link", { name });
  await page.route("**/assets/features-*.js", (route) => route.abort());
  const kept = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/features-"));
  await link("Features").hover();
  await kept;
  await page.unroute("**/assets/features-*.js");
  await link("About").click();
  await expect(page).toHaveURL("/about");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("About");
  expect(await page.evaluate(() => "isFirst" in window)).toBe(true);
});

test("what a line kept from coming comes when the line is back: the way to sign in, the engine, the toast at its end", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED|503/);
  const cut = () => page.route("**/assets/*.js", (route) => route.abort());
  const mend = () => page.unroute("**/assets/*.js");
  const kept = (name: string) =>
    page.waitForEvent("requestfailed", (request) => request.url().includes(`/assets/${name}-`));

  await page.goto("/");
  await cut();
  const dialog = kept("auth-dialog");
  await page.getByRole("button", { name: "Sign up" }).first().click();
  await dialog;
  await mend();
  await expect(page.getByRole("dialog")).toBeVisible();

  await signUpByApi(page);
  await page.goto("/");
  await cut();
  const engine = kept("direct-upload");
  await chooseFile(page, await randomFile("kept.txt", 10));
  await engine;
  await mend();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();

  const toasts = "**/assets/toast-list-*.js";
  const overloaded = page.waitForResponse(toasts);
  await page.route(toasts, (route) => route.fulfill({ status: 503 }));
  await page.getByRole("button", { name: "Copy" }).click();
  await overloaded;
  await page.unroute(toasts);
  await expect(page.getByText("Link copied", { exact: true })).toBeVisible();
});
