import { MIB } from "#domain/units.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "#test/e2e/support/files.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";
import { signUp, signUpByApi } from "#test/e2e/support/accounts.ts";
import { openWithFakeClock } from "#test/e2e/support/waiting.ts";

/** Storage on another origin, with R2's CORS behaviour. */
const STORE = process.env.E2E_STORE_ORIGIN ?? "";

test.describe.configure({ mode: "serial" });

async function setStore(state: { rules: unknown[]; locked?: boolean; slow?: boolean }): Promise<void> {
  await fetch(`${STORE}/control`, { method: "POST", body: JSON.stringify(state) });
}

async function rules(): Promise<unknown> {
  return (await fetch(`${STORE}/rules`)).json();
}

/**
 * Holds parts that go through our server until the test releases them. Not by `page.route`: with it, Playwright answers
 * preflights itself.
 */
const HOLD_PROXIED_PARTS = `
const { open, send } = XMLHttpRequest.prototype;
const proxied = [];
let held = [];
let isHolding = true;
XMLHttpRequest.prototype.open = function (method, url) {
  this.address = String(url);
  open.call(this, method, url);
};
XMLHttpRequest.prototype.send = function (body) {
  if (!this.address.includes("/api/direct-upload/parts/")) return send.call(this, body);
  proxied.push(new URL(this.address, location.href).pathname.split("/").at(-1));
  if (isHolding) held.push(() => send.call(this, body));
  else send.call(this, body);
};
globalThis.proxied = () => proxied;
globalThis.release = (goOn) => {
  isHolding = !goOn;
  for (const sendOn of held) sendOn();
  held = [];
};
`;

test("the CORS rules of a bucket are repaired once, and the parts then go straight to it [API-18, API-20, DEC-19, UP-18, UP-19] @everyday", async ({
  page,
  request,
  baseURL,
  expectErrors,
}) => {
  await setStore({ rules: [], locked: false });
  expectErrors(/CORS policy|net::ERR_FAILED/);
  await signUp(page);
  const path = await randomFile("repaired.bin", 24 * MIB);
  const proxied: string[] = [];
  const repairs: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/direct-upload/parts/")) proxied.push(sent.url());
    if (sent.url().includes("public-fix-cors")) repairs.push(sent.url());
  });
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  // The browser from npm opens no connection ahead, so the test looks for what asks for one.
  const ahead = page.locator("link[rel=preconnect]");
  expect(await ahead.evaluate((link: HTMLLinkElement) => [link.href, link.crossOrigin])).toEqual([
    `${STORE}/`,
    "anonymous",
  ]);
  expect(repairs).toHaveLength(1);
  expect(proxied).toHaveLength(0);
  expect(await rules()).toEqual([
    { origins: [baseURL], methods: ["PUT"], headers: ["content-type"], expose: ["ETag"], maxAgeSeconds: 3600 },
  ]);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
  expect(await (await request.get("/")).text()).toContain(`<link rel="dns-prefetch" href="${STORE}"/>`);
  // The page of a link names no other site.
  expect(await (await request.get(link)).text()).not.toContain("dns-prefetch");
});

test("parts go through our server if the bucket's CORS rules cannot be repaired [DIR-2, DIR-3, DIR-7, UP-20]", async ({
  page,
  request,
  expectErrors,
}) => {
  await setStore({ rules: [], locked: true });
  expectErrors(/CORS policy|net::ERR_FAILED|502/);
  await signUpByApi(page);
  await page.goto("/direct-upload");
  const path = await randomFile("around.bin", 24 * MIB);
  await page.route("**/api/direct-upload/parts/*/3", async (route) => {
    // Holds the part until the method has been read.
    await expect(page.getByText("Method: Server proxy")).toBeVisible();
    await route.continue();
  });
  await page.route("**/api/direct-upload/complete", async (route) => {
    await expect(page.getByText("Method: Processing on the server")).toBeVisible();
    await route.continue();
  });
  const completed = page.waitForResponse("**/api/direct-upload/complete");
  await chooseFile(page, path);
  expect((await completed).ok()).toBe(true);
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("while new CORS rules are not active yet, parts go through our server; a probe notices them, and later parts go straight again [UP-18]", async ({
  page,
  request,
  baseURL,
  expectErrors,
}) => {
  await setStore({ rules: [], slow: true });
  expectErrors(/CORS policy|net::ERR_FAILED/);
  await signUpByApi(page);
  await page.addInitScript(HOLD_PROXIED_PARTS);
  await openWithFakeClock(page, "/direct-upload");
  const direct: string[] = [];
  const failed: string[] = [];
  const started = new Set<string>();
  // Each segment of this file holds one part, and the key of a segment ends with its number, from 00000.
  const partOf = (url: string) => String(Number(new URL(url).pathname.slice(-5)) + 1);
  const proxied = () => page.evaluate(() => (Reflect.get(globalThis, "proxied") as () => string[])());
  const release = (goOn = false) =>
    page.evaluate((on) => {
      (Reflect.get(globalThis, "release") as (goOn: boolean) => void)(on);
    }, goOn);
  page.on("request", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) started.add(partOf(sent.url()));
  });
  page.on("requestfinished", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) direct.push(partOf(sent.url()));
  });
  page.on("requestfailed", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) failed.push(partOf(sent.url()));
  });
  const path = await randomFile("slow-rules.bin", 10 * 8 * MIB);
  // The test decides when the first probe comes, however slow the machine is.
  await page.clock.pauseAt(Date.now() + 60_000);
  await chooseFile(page, path);

  // The first parts fail before and after the repair, and then wait for our server.
  await expect(page.getByText("Method: Server proxy")).toBeVisible();
  const allProxied = async () => {
    const parts = await proxied();
    return parts.length > 0 && [...started].every((part) => parts.includes(part));
  };
  await expect.poll(allProxied).toBe(true);
  const firstParts = await proxied();
  expect(failed.length).toBeGreaterThan(firstParts.length);
  const failedBefore = failed.length;

  await page.clock.fastForward(2000);
  await release();
  // The next part probes and fails, and is then proxied.
  await expect.poll(() => failed.length).toBe(failedBefore + 1);
  const probe = failed.at(-1) ?? "";
  expect(firstParts).not.toContain(probe);
  await expect.poll(proxied).toContain(probe);
  await page.clock.fastForward(5000);
  const proxiedBefore = (await proxied()).length;
  await release();
  await expect.poll(async () => (await proxied()).length).toBeGreaterThan(proxiedBefore);
  expect(failed).toHaveLength(failedBefore + 1);

  await setStore({
    rules: [{ origins: [baseURL], methods: ["PUT"], headers: ["content-type"], expose: ["ETag"], maxAgeSeconds: 3600 }],
  });
  await page.clock.fastForward(5000);
  await release(true);
  await page.clock.resume();
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  expect(failed).toHaveLength(failedBefore + 1);
  expect(direct).not.toEqual([]);
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("the button on the direct upload page repairs the CORS rules and reports a failure [DIR-4, ERR-80, ERR-81]", async ({
  page,
  expectErrors,
}) => {
  await setStore({ rules: [], locked: false });
  await page.goto("/direct-upload");
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expect(page.getByText("CORS settings updated", { exact: true })).toBeVisible();
  expect(await rules()).toHaveLength(1);
  await setStore({ rules: [], locked: true });
  expectErrors(/502/);
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expect(page.getByText("CORS update failed", { exact: true })).toBeVisible();
  await expect(
    page.getByText("Failed to update S3 CORS settings. Please try again later.", { exact: true }),
  ).toBeVisible();
});
