import { choose, downloadHash, randomFile, sha256 } from "../files.ts";
import { expect, test } from "../fixtures.ts";
import { signUp, signUpQuietly } from "../people.ts";

/** Against a store on another origin, with R2's own CORS behaviour in front. */
const STORE = process.env.E2E_STORE_ORIGIN ?? "";
const MIB = 1024 * 1024;

test.describe.configure({ mode: "serial" });

async function setStore(state: { rules: unknown[]; locked: boolean }): Promise<void> {
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
