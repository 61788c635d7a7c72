import { expect, type Locator, type Page } from "@playwright/test";
import { query } from "./database.ts";

export function planCard(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

export function subscriptionCard(page: Page): Locator {
  return page.getByRole("complementary", { name: "Subscription" });
}

/** Also finds toasts behind an open dialog. */
export async function expectToast(page: Page, title: string, text?: string | RegExp): Promise<void> {
  const toasts = page.locator("[role=region][aria-label^=Notifications]");
  await expect(toasts.getByText(title, { exact: true })).toBeVisible();
  if (text !== undefined) await expect(toasts).toContainText(text);
}

/** For deployments where choosing a plan needs no payment. */
export async function choosePlan(page: Page, name: string): Promise<void> {
  await page.goto("/pricing");
  await planCard(page, name)
    .getByRole("button", { name: `Upgrade to ${name}` })
    .click();
  await expect(planCard(page, name).getByText("Current plan", { exact: true })).toBeVisible();
}

/** @param columns the assignments of an SQL UPDATE */
export async function updateUserRow(email: string, columns: string, origin?: string): Promise<void> {
  await query(`update users set ${columns} where email = '${email}'`, origin);
}

export const REFRESH_URL = "**/api/subscription/current-plan?refresh=true";

/**
 * Advances the fake clock until the plan was requested once more.
 * @returns the page's clock, epoch milliseconds
 */
export async function advanceToNextPoll(page: Page): Promise<number> {
  const response = page.waitForResponse(REFRESH_URL);
  const isAnswered = response.then(() => true);
  const advance = () => page.clock.runFor(500).then(() => false);
  while (!(await Promise.race([isAnswered, advance()])));
  return page.evaluate(() => Date.now());
}

/** Installs a clock that stands still until the test advances it. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}
