import { choose, downloadHash, randomFile, sha256 } from "#test/e2e/support/files.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";
import { signUp, signUpQuietly } from "#test/e2e/support/accounts.ts";
import { inFakeTime } from "#test/e2e/support/waiting.ts";

/** Against a store on another origin, with R2's own CORS behaviour in front. */
const STORE = process.env.E2E_STORE_ORIGIN ?? "";
const MIB = 1024 * 1024;

test.describe.configure({ mode: "serial" });

async function setStore(state: { rules: unknown[]; locked?: boolean; slow?: boolean }): Promise<void> {
  await fetch(`${STORE}/control`, { method: "POST", body: JSON.stringify(state) });
}

async function rules(): Promise<unknown> {
  return (await fetch(`${STORE}/rules`)).json();
}

test("a bucket without rules is repaired once, and the parts then go straight to it", async ({
  page,
  request,
  baseURL,
  expectErrors,
}) => {
  await setStore({ rules: [], locked: false });
  expectErrors(/CORS policy|net::ERR_FAILED/);
  await signUp(page);
  const path = await randomFile("repaired.bin", 24 * MIB);
  const relayed: string[] = [];
  const repairs: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/direct-upload/parts/")) relayed.push(sent.url());
    if (sent.url().includes("public-fix-cors")) repairs.push(sent.url());
  });
  await choose(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect(repairs).toHaveLength(1);
  expect(relayed).toHaveLength(0);
  expect(await rules()).toEqual([
    { origins: [baseURL], methods: ["PUT"], headers: ["content-type"], expose: ["ETag"], maxAgeSeconds: 3600 },
  ]);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("a bucket that cannot be repaired is gone around: the parts go through our server", async ({
  page,
  request,
  expectErrors,
}) => {
  await setStore({ rules: [], locked: true });
  expectErrors(/CORS policy|net::ERR_FAILED|502/);
  await signUpQuietly(page);
  await page.goto("/direct-upload");
  const path = await randomFile("around.bin", 24 * MIB);
  await page.route("**/api/direct-upload/parts/*/3", async (route) => {
    // Held until the method has been read: the upload must still be under way then.
    await expect(page.getByText("Method: Server proxy")).toBeVisible();
    await route.continue();
  });
  await page.route("**/api/direct-upload/complete", async (route) => {
    await expect(page.getByText("Method: Processing on the server")).toBeVisible();
    await route.continue();
  });
  const completed = page.waitForResponse("**/api/direct-upload/complete", { timeout: 60_000 });
  await choose(page, path);
  expect((await completed).ok()).toBe(true);
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("rules that take their time: parts go through our server, one probes, and the later ones go straight again", async ({
  page,
  request,
  baseURL,
  expectErrors,
}) => {
  test.setTimeout(120_000);
  await setStore({ rules: [], slow: true });
  expectErrors(/CORS policy|net::ERR_FAILED/);
  await signUpQuietly(page);
  await inFakeTime(page, "/direct-upload");
  const straight: string[] = [];
  const refused: string[] = [];
  const relayed: string[] = [];
  const started = new Set<string>();
  const partOf = (url: string) => new URL(url).searchParams.get("partNumber") ?? url.split("/").at(-1) ?? "";
  page.on("request", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) started.add(partOf(sent.url()));
  });
  page.on("requestfinished", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) straight.push(partOf(sent.url()));
  });
  page.on("requestfailed", (sent) => {
    if (sent.method() === "PUT" && sent.url().startsWith(STORE)) refused.push(partOf(sent.url()));
  });
  /** Lets the parts through that wait for our server. */
  let letThrough: (() => void)[] = [];
  let isHolding = true;
  await page.route("**/api/direct-upload/parts/*/*", async (route) => {
    const held = new Promise<void>((resolve) => letThrough.push(resolve));
    relayed.push(partOf(route.request().url()));
    if (isHolding) await held;
    await route.continue();
  });
  const release = () => {
    for (const goOn of letThrough) goOn();
    letThrough = [];
  };
  const path = await randomFile("slow-rules.bin", 10 * 8 * MIB);
  // However slow the machine is, the first probe comes when the test says so.
  await page.clock.pauseAt(Date.now() + 60_000);
  await choose(page, path);

  // The first parts are refused before the repair and after it, and then wait for our server.
  await expect(page.getByText("Method: Server proxy")).toBeVisible();
  await expect.poll(() => relayed.length > 0 && [...started].every((part) => relayed.includes(part))).toBe(true);
  expect(refused.length).toBeGreaterThan(relayed.length);
  const first = [...relayed];
  const before = refused.length;

  await page.clock.fastForward(2000);
  release();
  // The next part probes, is refused, and loses nothing by it.
  await expect.poll(() => refused.length).toBe(before + 1);
  const probe = refused.at(-1) ?? "";
  expect(first).not.toContain(probe);
  await expect.poll(() => relayed).toContain(probe);
  await page.clock.fastForward(5000);
  const waiting = relayed.length;
  release();
  await expect.poll(() => relayed.length).toBeGreaterThan(waiting);
  expect(refused).toHaveLength(before + 1);

  await setStore({
    rules: [{ origins: [baseURL], methods: ["PUT"], headers: ["content-type"], expose: ["ETag"], maxAgeSeconds: 3600 }],
  });
  await page.clock.fastForward(5000);
  isHolding = false;
  release();
  await page.clock.resume();
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 60_000 });
  expect(refused).toHaveLength(before + 1);
  expect(straight).toContain("10");
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("the button on the direct upload page repairs the rules, and says when it could not", async ({
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
