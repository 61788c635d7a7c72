import { expect, type Page } from "@playwright/test";
import { planCard, subscriptionCard } from "./plans.ts";

/** Sends a command to Stripe's test double (test/support/stripe-double/control.ts). */
export async function control(name: string, body: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(`${process.env.E2E_STRIPE_DOUBLE ?? ""}/control/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the double answered ${response.status}: ${await response.text()}`);
  return response.json();
}

export async function stripeCustomerId(page: Page): Promise<string> {
  const plan = (await (await page.request.get("/api/subscription/current-plan")).json()) as {
    stripeCustomerId: string;
  };
  return plan.stripeCustomerId;
}

export async function openCheckout(page: Page, name: string): Promise<void> {
  await page.goto("/pricing");
  await planCard(page, name)
    .getByRole("button", { name: `Upgrade to ${name}` })
    .click();
  await expect(page.getByRole("heading", { name: "Checkout" })).toBeVisible();
}

export async function buy(page: Page, name: string): Promise<void> {
  await openCheckout(page, name);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(subscriptionCard(page)).toContainText(name);
  await expect(subscriptionCard(page).getByRole("status")).toBeHidden();
}

export async function openPortal(page: Page): Promise<void> {
  await subscriptionCard(page).getByRole("button", { name: "Manage billing" }).click();
  await expect(page.getByRole("heading", { name: "Billing portal" })).toBeVisible();
}

export async function clickButton(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}
