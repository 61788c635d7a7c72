import type { Page } from "@playwright/test";
import { signUp } from "./support/accounts.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";
import { chooseFolder, randomFolder } from "./support/many-files.ts";
import { pathOf, requestByApi } from "./support/requests.ts";

/** @returns whether the page keeps the screen on. Call it before the page opens. */
async function watchScreen(page: Page): Promise<() => Promise<boolean>> {
  await page.addInitScript(() => {
    const locks = new Set<WakeLockSentinel>();
    const request = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = async (kind) => {
      const lock = await request(kind);
      locks.add(lock);
      lock.addEventListener("release", () => locks.delete(lock));
      return lock;
    };
    Object.assign(globalThis, { isKeptOn: () => locks.size > 0 });
  });
  return () => page.evaluate(() => (Reflect.get(globalThis, "isKeptOn") as () => boolean)());
}

/** Lets no bytes arrive until the returned function is called. */
async function holdBytes(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<undefined>();
  await page.route(
    (url) => url.searchParams.has("X-Amz-Signature") || url.pathname === "/api/chunked-upload/chunk",
    async (route) => {
      await held.promise;
      await route.continue();
    },
  );
  return () => {
    held.resolve(undefined);
  };
}

async function expectScreenOnWhileSending(page: Page, send: () => Promise<void>, arrived: string): Promise<void> {
  // Without a screen, Chromium refuses by itself.
  await page.context().grantPermissions(["screen-wake-lock"]);
  const isKeptOn = await watchScreen(page);
  await page.reload();
  expect(await isKeptOn()).toBe(false);
  const goOn = await holdBytes(page);
  await send();
  await expect.poll(isKeptOn).toBe(true);
  goOn();
  await expect(page.getByRole("heading", { name: arrived })).toBeVisible();
  await expect.poll(isKeptOn).toBe(false);
}

test("the screen stays on while a file is sent, and may go dark when it has arrived [UP-30] @everyday", async ({
  page,
}) => {
  await signUp(page);
  const file = await randomFile("awake.bin", 1000);
  await expectScreenOnWhileSending(page, () => chooseFile(page, file), "Ready to share");
});

test("the screen stays on while a file is sent in chunks", async ({ page }) => {
  await signUp(page);
  await page.goto("/chunked-upload");
  const file = await randomFile("awake-chunks.bin", 300_000);
  await expectScreenOnWhileSending(page, () => chooseFile(page, file), "Upload Successful!");
});

test("the screen stays on while a folder is sent", async ({ page }) => {
  await signUp(page);
  const folder = await randomFolder("Awake", { "a.txt": 1000, "b.txt": 2000 });
  const send = async () => {
    await chooseFolder(page, folder);
    await page.getByRole("button", { name: /^Send \d+ files/ }).click();
  };
  await expectScreenOnWhileSending(page, send, "Ready to share");
});

test("the screen stays on while an encrypted file is sent", async ({ page }) => {
  await signUp(page);
  const file = await randomFile("awake-sealed.bin", 1000);
  const send = async () => {
    await openGuards(page);
    await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
    await chooseFile(page, file);
  };
  await expectScreenOnWhileSending(page, send, "Ready to share");
});

test("the screen stays on while somebody sends into a request", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Photos");
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  const file = await randomFile("awake-request.bin", 1000);
  const send = async () => {
    await stranger.getByLabel("Choose files").setInputFiles(file);
    await stranger.getByRole("button", { name: /^Send \d+ files? \(/ }).click();
  };
  await expectScreenOnWhileSending(stranger, send, "Everything has arrived");
});
