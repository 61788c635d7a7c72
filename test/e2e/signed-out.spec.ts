import type { Page } from "@playwright/test";
import { GIB } from "#domain/units.ts";
import { chooseFileOfSize } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, register, signUpByApi } from "./support/accounts.ts";
import { updateUserRow } from "./support/plans.ts";

/** The free plan allows none of them, and no plan allows the last. */
const SIZES = [
  ["500.01 MB", 500 * 1024 ** 2 + 10_000],
  ["10 GB", 10 * GIB],
  ["51 GB", 51 * GIB],
] as const;

/** Drops a file with a faked size on the card. */
async function drop(page: Page, sizeBytes: number): Promise<void> {
  await page.getByText("Choose a file, or drop it here").evaluate((target, size) => {
    const file = new File(["x"], "huge.bin");
    Object.defineProperty(file, "size", { value: size });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
    target.dispatchEvent(event);
  }, sizeBytes);
}

/** What each card asks a visitor who has chosen a file. */
const CARDS = [
  {
    address: "/",
    dialog: "Create your account",
    text: (size: string) => `Your file (${size}) will be uploaded right after this.`,
  },
  {
    address: "/chunked-upload",
    dialog: "Login Required",
    text: (size: string) => `Please log in or sign up to upload this file (${size}).`,
  },
  {
    address: "/direct-upload",
    dialog: "Account Required",
    text: (size: string) => `You need an account to upload this file (${size}).`,
  },
];

for (const { address, dialog, text } of CARDS) {
  test(`a visitor is asked to sign in for a file of any size: ${address} [UP-11]`, async ({ page }) => {
    await page.goto(address);
    for (const chooseFile of [chooseFileOfSize, drop]) {
      for (const [size, sizeBytes] of SIZES) {
        await chooseFile(page, sizeBytes);
        await expect(page.getByRole("dialog", { name: dialog })).toContainText(text(size));
        await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
    }
  });
}

test("the plan is checked after sign-in: a file over its limit shows an error and is not sent [UP-11] @everyday", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("upload/")) sent.push(request.url());
  });
  await page.goto("/");
  await chooseFileOfSize(page, GIB);
  await register(page);
  await expect(page.getByText("Could not upload file.", { exact: true })).toBeVisible();
  await expect(page.getByText("Free accounts can only upload files up to 500 MB.").first()).toBeVisible();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  expect(sent).toEqual([]);
});

test("the plan is checked after sign-in: a paid plan allows the file [UP-11]", async ({ page, openBrowser }) => {
  const email = await signUpByApi(await openBrowser());
  await updateUserRow(email, "plan_type = 'professional'");
  await page.goto("/");
  await chooseFileOfSize(page, GIB);
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByRole("heading", { name: "huge.bin" })).toBeVisible();
  await expect(page.getByText("1 GB", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Upload", exact: true })).toBeEnabled();
});

test("the plan is checked after sign-in: a file over every plan's limit shows an error", async ({
  page,
  openBrowser,
}) => {
  const email = await signUpByApi(await openBrowser());
  await updateUserRow(email, "plan_type = 'ultimate'");
  await page.goto("/");
  await chooseFileOfSize(page, 51 * GIB);
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByText("File too large", { exact: true })).toBeVisible();
  const maximum = "The maximum file size allowed is 50 GB per file for all subscription plans.";
  await expect(page.getByText(maximum, { exact: true })).toBeVisible();
});

test("a visitor who sends a file shared by another app is asked to sign in, whatever its size", async ({ page }) => {
  // Stores a file as the service worker does, with a faked size.
  await page.addInitScript((size) => {
    const Real = File;
    globalThis.File = class extends Real {
      override get size(): number {
        return size;
      }
    };
  }, GIB);
  await page.goto("/");
  await page.evaluate(async () => {
    const cache = await caches.open("shared-file");
    const headers = { "x-name": "shared.bin", "x-last-modified": "0", "content-type": "application/octet-stream" };
    await cache.put("/share/file", new Response("x", { headers }));
  });
  await page.goto("/?shared=1");
  await expect(page.getByRole("heading", { name: "shared.bin" })).toBeVisible();
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Your file (1 GB) will be uploaded right after this.");
  await register(page);
  await expect(page.getByText("Free accounts can only upload files up to 500 MB.").first()).toBeVisible();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
});
