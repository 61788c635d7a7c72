import type { Page } from "@playwright/test";
import { announce } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, register, signUpQuietly } from "./support/accounts.ts";
import { setUser } from "./support/plans.ts";

const GIB = 1024 ** 3;

/** No plan takes the last; the free plan takes none of them. */
const SIZES = [
  ["500.01 MB", 500 * 1024 ** 2 + 10_000],
  ["10 GB", 10 * GIB],
  ["51 GB", 51 * GIB],
] as const;

/** Drops a file that says it has that size on the card. */
async function drop(page: Page, sizeBytes: number): Promise<void> {
  await page.getByText("Choose a file, or drop it here").evaluate((target, size) => {
    const file = new File(["x"], "huge.bin");
    Object.defineProperty(file, "size", { value: size });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
    target.dispatchEvent(event);
  }, sizeBytes);
}

/** Each card, and what it asks a signed-out person who has chosen a file. */
const CARDS = [
  {
    address: "/",
    dialog: "Create your account",
    words: (size: string) => `Your file (${size}) goes up right after this.`,
  },
  {
    address: "/chunked-upload",
    dialog: "Login Required",
    words: (size: string) => `Please log in or sign up to upload this file (${size}).`,
  },
  {
    address: "/direct-upload",
    dialog: "Account Required",
    words: (size: string) => `You need an account to upload this file (${size}).`,
  },
];

for (const { address, dialog, words } of CARDS) {
  test(`a signed-out person is asked to sign in for a file of any size: ${address}`, async ({ page }) => {
    await page.goto(address);
    for (const take of [announce, drop]) {
      for (const [said, sizeBytes] of SIZES) {
        await take(page, sizeBytes);
        await expect(page.getByRole("dialog", { name: dialog })).toContainText(words(said));
        await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
    }
  });
}

test("the plan is checked after signing in: what is too large for it is said, and nothing is sent", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("upload/")) sent.push(request.url());
  });
  await page.goto("/");
  await announce(page, GIB);
  await register(page);
  await expect(page.getByText("Could not upload file.", { exact: true })).toBeVisible();
  await expect(page.getByText("Free accounts can only upload files up to 500 MB.").first()).toBeVisible();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  expect(sent).toEqual([]);
});

test("the plan is checked after signing in: a paid one takes the file", async ({ page, openBrowser }) => {
  const email = await signUpQuietly(await openBrowser());
  await setUser(email, "plan_type = 'professional'");
  await page.goto("/");
  await announce(page, GIB);
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByRole("heading", { name: "huge.bin" })).toBeVisible();
  await expect(page.getByText("1 GB", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Upload", exact: true })).toBeEnabled();
});

test("the plan is checked after signing in: what no plan takes is said", async ({ page, openBrowser }) => {
  const email = await signUpQuietly(await openBrowser());
  await setUser(email, "plan_type = 'ultimate'");
  await page.goto("/");
  await announce(page, 51 * GIB);
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, email);
  await expect(page.getByText("File too large", { exact: true })).toBeVisible();
  const most = "The maximum file size allowed is 50 GB per file for all subscription plans.";
  await expect(page.getByText(most, { exact: true })).toBeVisible();
});

test("a file that another app shares with a signed-out person is asked about when it is sent, whatever its size", async ({
  page,
}) => {
  // What the service worker leaves for the home page, with a size that no test wants to write.
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
  await expect(page.getByRole("dialog")).toContainText("Your file (1 GB) goes up right after this.");
  await register(page);
  await expect(page.getByText("Free accounts can only upload files up to 500 MB.").first()).toBeVisible();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
});
