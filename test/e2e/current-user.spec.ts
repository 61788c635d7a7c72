import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { signUpQuietly } from "./support/accounts.ts";
import { stopClock } from "./support/plans.ts";
import { countAnswers } from "./support/waiting.ts";

const ME = "/api/auth/me";

/** Counts how often the page asks who is signed in. */
function countAsked(page: Page): () => number {
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(ME)) asked += 1;
  });
  return () => asked;
}

/** A member's page whose time stands still. @returns how many answers it has had */
async function openPage(page: Page, path: string): Promise<() => Promise<number>> {
  const answers = await countAnswers(page, ME);
  await signUpQuietly(page);
  await stopClock(page);
  await page.goto(path);
  return answers;
}

/** Tells the page that the person has come back to its tab, or has left it for another. */
async function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

/** Comes back to the tab, which asks who is signed in, and leaves it again: in a hidden tab nothing is polled. */
async function askOnce(page: Page, answers: () => Promise<number>): Promise<void> {
  await setVisibility(page, "visible");
  await expect.poll(answers).toBe(1);
  await setVisibility(page, "hidden");
}

async function followLink(page: Page, name: string, path: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).first().click();
  await expect(page).toHaveURL(path);
}

test("who is signed in is cached for 60 s: a page opened later asks again", async ({ page }) => {
  const answers = await openPage(page, "/features");
  const asked = countAsked(page);
  await askOnce(page, answers);
  expect(asked()).toBe(1);

  await page.clock.runFor(59_000);
  await followLink(page, "Start Uploading", "/");
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  await followLink(page, "Features", "/features");
  expect(asked()).toBe(1);
  await page.clock.runFor(2000);
  const again = page.waitForRequest(`**${ME}`);
  await followLink(page, "Start Uploading", "/");
  await again;
  expect(asked()).toBe(2);
});

test("a failed question who is signed in is asked once more, 1 s later", async ({ page, expectErrors }) => {
  const answers = await openPage(page, "/features");
  expectErrors(/ERR_FAILED/);
  await page.route(`**${ME}`, (route) => route.abort());
  const asked = countAsked(page);
  await setVisibility(page, "visible");
  await expect.poll(answers).toBe(1);
  await page.clock.runFor(999);
  expect(asked()).toBe(1);
  await page.clock.runFor(1);
  await expect.poll(answers).toBe(2);
  // Until the next poll.
  await page.clock.runFor(20_000);
  expect(asked()).toBe(2);
});

for (const path of ["/chunked-upload", "/direct-upload"]) {
  test(`who is signed in is cached for 5 minutes on ${path}`, async ({ page }) => {
    const answers = await openPage(page, path);
    await followLink(page, "Features", "/features");
    const asked = countAsked(page);
    await askOnce(page, answers);
    expect(asked()).toBe(1);

    await page.clock.runFor(299_000);
    await page.goBack();
    await expect(page.getByLabel("Choose a file")).toBeAttached();
    await followLink(page, "Features", "/features");
    expect(asked()).toBe(1);
    await page.clock.runFor(2000);
    const again = page.waitForRequest(`**${ME}`);
    await page.goBack();
    await again;
    expect(asked()).toBe(2);
  });
}
