import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";
import { pauseClock } from "./support/plans.ts";
import { countResponses } from "./support/waiting.ts";

const ME = "/api/auth/me";

function countRequests(page: Page): () => number {
  let requestCount = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(ME)) requestCount += 1;
  });
  return () => requestCount;
}

/** Opens a page as a signed-in user with a paused clock. @returns counts the answers so far */
async function openPage(page: Page, path: string): Promise<() => Promise<number>> {
  const answers = await countResponses(page, ME);
  await signUpByApi(page);
  await pauseClock(page);
  await page.goto(path);
  return answers;
}

/** Simulates switching to the tab or away from it. */
async function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

/** Focuses the tab, which fetches the current user, and hides it again: a hidden tab does not poll. */
async function fetchOnce(page: Page, answers: () => Promise<number>): Promise<void> {
  await setVisibility(page, "visible");
  await expect.poll(answers).toBe(1);
  await setVisibility(page, "hidden");
}

async function followLink(page: Page, name: string, path: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).first().click();
  await expect(page).toHaveURL(path);
}

test("the current user is cached for 60 s; a page opened later fetches it again [API-4]", async ({ page }) => {
  const answers = await openPage(page, "/features");
  const requestCount = countRequests(page);
  await fetchOnce(page, answers);
  expect(requestCount()).toBe(1);

  await page.clock.runFor(59_000);
  await followLink(page, "Start Uploading", "/");
  await expect(page.getByLabel("Choose a file")).toBeAttached();
  await followLink(page, "Features", "/features");
  expect(requestCount()).toBe(1);
  await page.clock.runFor(2000);
  const nextRequest = page.waitForRequest(`**${ME}`);
  await followLink(page, "Start Uploading", "/");
  await nextRequest;
  expect(requestCount()).toBe(2);
});

test("a failed fetch of the current user is retried once, after 1 s [API-4, API-5]", async ({ page, expectErrors }) => {
  const answers = await openPage(page, "/features");
  expectErrors(/ERR_FAILED/);
  await page.route(`**${ME}`, (route) => route.abort());
  const requestCount = countRequests(page);
  await setVisibility(page, "visible");
  await expect.poll(answers).toBe(1);
  await page.clock.runFor(999);
  expect(requestCount()).toBe(1);
  await page.clock.runFor(1);
  await expect.poll(answers).toBe(2);
  // Less than the poll interval.
  await page.clock.runFor(20_000);
  expect(requestCount()).toBe(2);
});

for (const path of ["/chunked-upload", "/direct-upload"]) {
  test(`the current user is cached for 5 minutes on ${path} [API-5]`, async ({ page }) => {
    const answers = await openPage(page, path);
    await followLink(page, "Features", "/features");
    const requestCount = countRequests(page);
    await fetchOnce(page, answers);
    expect(requestCount()).toBe(1);

    await page.clock.runFor(299_000);
    await page.goBack();
    await expect(page.getByLabel("Choose a file")).toBeAttached();
    await followLink(page, "Features", "/features");
    expect(requestCount()).toBe(1);
    await page.clock.runFor(2000);
    const nextRequest = page.waitForRequest(`**${ME}`);
    await page.goBack();
    await nextRequest;
    expect(requestCount()).toBe(2);
  });
}
