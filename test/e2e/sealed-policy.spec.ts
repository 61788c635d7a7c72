import type { Page } from "@playwright/test";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { SealingClient } from "#test/support/seal/sealed-uploads.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { uploadByApi } from "./support/sharing.ts";

/** A script of the page that somebody has changed on its way. */
async function changeScript(page: Page): Promise<void> {
  await page.route(/\/assets\/download\._downloadId-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};globalThis.ran = true;` });
  });
}

const hasRun = (page: Page) => page.evaluate(() => Reflect.get(globalThis, "ran") as unknown);

test("the page of an encrypted link runs no changed script, and loads those that were built", async ({
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
  const refused = page.waitForEvent("console", (message) => message.text().includes("integrity"));
  // The page never comes to life, which a usual visit would wait for.
  await page.evaluate((address) => {
    location.assign(address);
  }, link);
  await refused;
  await expect(page).toHaveURL(link);
  expect(await hasRun(page)).toBeUndefined();
});

test("the page of a plain link does without the hashes of its scripts", async ({ page }) => {
  await signUp(page);
  const link = await uploadByApi(page, { name: "a.txt", type: "text/plain", body: "text" });
  await changeScript(page);
  await page.goto(`/download/${link}`);
  await expect.poll(() => hasRun(page)).toBe(true);
  expect(await page.locator("script[type=importmap]").count()).toBe(0);
});
