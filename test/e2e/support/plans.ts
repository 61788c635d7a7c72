import { expect, type Locator, type Page } from "@playwright/test";
import { query } from "./database.ts";

/** A plan's card on the pricing page. */
export function planCard(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

/** The dashboard's card. */
export function subscriptionCard(page: Page): Locator {
  return page.getByRole("complementary", { name: "Subscription" });
}

/** Waits for a toast of that title, and of those words where they are given; also behind an open dialog. */
export async function expectToast(page: Page, title: string, words?: string | RegExp): Promise<void> {
  const toasts = page.locator("[role=region][aria-label^=Notifications]");
  await expect(toasts.getByText(title, { exact: true })).toBeVisible();
  if (words !== undefined) await expect(toasts).toContainText(words);
}

/** Chooses a plan on the pricing page, where choosing sets it at once. */
export async function choosePlan(page: Page, name: string): Promise<void> {
  await page.goto("/pricing");
  await planCard(page, name)
    .getByRole("button", { name: `Upgrade to ${name}` })
    .click();
  await expect(planCard(page, name).getByText("Current plan", { exact: true })).toBeVisible();
}

/** Writes columns of that person's row. */
export async function setUser(email: string, columns: string, origin?: string): Promise<void> {
  await query(`update users set ${columns} where email = '${email}'`, origin);
}

/** Asking for the plan, from the payment provider on. */
export const REFRESH = "**/api/subscription/current-plan?refresh=true";

/** Lets time go on until the plan has been asked for once more. @returns the page's clock at that moment */
export async function poll(page: Page): Promise<number> {
  const answer = page.waitForResponse(REFRESH);
  const answered = answer.then(() => true);
  const notYet = () => page.clock.runFor(500).then(() => false);
  while (!(await Promise.race([answered, notYet()])));
  return page.evaluate(() => Date.now());
}

/** A page whose time goes on only when it is told to. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}
