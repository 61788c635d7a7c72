import { expect, type Page } from "@playwright/test";
import { planCard, subscriptionCard } from "./plans.ts";

/** Has Stripe's double do something (test/support/stripe-double/control.ts). @returns what it answers */
export async function control(name: string, order: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(`${process.env.E2E_STRIPE_DOUBLE ?? ""}/control/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });
  if (!response.ok) throw new Error(`the double answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The Stripe customer that the person is. */
export async function customerOf(page: Page): Promise<string> {
  const plan = (await (await page.request.get("/api/subscription/current-plan")).json()) as {
    stripeCustomerId: string;
  };
  return plan.stripeCustomerId;
}

/** Chooses a plan as a free person; the checkout's page is open then. */
export async function openCheckout(page: Page, name: string): Promise<void> {
  await page.goto("/pricing");
  await planCard(page, name)
    .getByRole("button", { name: `Upgrade to ${name}` })
    .click();
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeVisible();
}

/** Buys a plan; the dashboard shows it then. */
export async function buy(page: Page, name: string): Promise<void> {
  await openCheckout(page, name);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(subscriptionCard(page)).toContainText(name);
  await expect(subscriptionCard(page).getByRole("status")).toBeHidden();
}

/** Opens the billing portal from the dashboard. */
export async function openPortal(page: Page): Promise<void> {
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  await expect(page.getByRole("heading", { name: "Billing portal" })).toBeVisible();
}

/** Presses a button on one of the double's pages. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}
