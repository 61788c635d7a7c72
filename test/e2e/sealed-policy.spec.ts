import type { ConsoleMessage, Page } from "@playwright/test";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { SealingClient } from "#test/support/seal/sealed-uploads.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { uploadByApi } from "./support/sharing.ts";

/** Changes a script of the page on its way to the browser. */
async function changeScript(page: Page): Promise<void> {
  await page.route(/\/assets\/download\._downloadId-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};globalThis.ran = true;` });
  });
}

const hasRun = (page: Page) => page.evaluate(() => Reflect.get(globalThis, "ran") as unknown);

/** The browser's error about the changed script. It names the script and its `integrity`. */
const isRefusal = (message: ConsoleMessage) =>
  message.type() === "error" && /digest.*integrity.*download\._downloadId/.test(message.text());

test("the page of an encrypted link runs no changed script, and loads those that were built [SEAL-18] @everyday", async ({
  page,
  baseURL,
  expectErrors,
}) => {
  const sender = await SealingClient.signUp(baseURL ?? "");
  const { link } = await sender.sendFile({ name: "secret.txt", bytes: plainBytes(100) });
  await page.goto(link);
  await expect(page.getByText("secret.txt").first()).toBeVisible();
  expectErrors(/integrity/);
  await changeScript(page);
  await page.goto("/about");
  const refused = page.waitForEvent("console", isRefusal);
  // The page never comes to life, which a usual visit would wait for.
  await page.evaluate((address) => {
    location.assign(address);
  }, link);
  await refused;
  await expect(page).toHaveURL(link);
  expect(await hasRun(page)).toBeUndefined();
  await page.unrouteAll({ behavior: "wait" });
});

test("the page of an encrypted link uses the scripts that it preloads [SEAL-18]", async ({ page, baseURL }) => {
  const sender = await SealingClient.signUp(baseURL ?? "");
  const { link } = await sender.sendFile({ name: "secret.txt", bytes: plainBytes(100) });
  const warnings: string[] = [];
  page.on("console", (message) => warnings.push(message.text()));
  const document = await page.goto(link);
  await expect(page.getByText("secret.txt").first()).toBeVisible();
  expect(warnings).toEqual([]);
  const preloads = (await document?.text())?.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads.length).toBeGreaterThan(5);
  for (const preload of preloads) expect(preload).toContain('integrity="sha256-');
});

test("the page of a plain link does without the hashes of its scripts [SEAL-18]", async ({ page }) => {
  await signUp(page);
  const link = await uploadByApi(page, { name: "a.txt", type: "text/plain", body: "text" });
  await changeScript(page);
  await page.goto(`/download/${link}`);
  await expect.poll(() => hasRun(page)).toBe(true);
  expect(await page.locator("script[type=importmap]").count()).toBe(0);
});
