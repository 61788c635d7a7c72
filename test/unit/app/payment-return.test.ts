import { expect, it } from "vitest";
import { isActivated } from "#app/features/billing/payment-return.ts";
import type { PlanId } from "#domain/plans.ts";

it.each<[boolean, PlanId, PlanId | null]>([
  [true, "ultimate", "ultimate"],
  [false, "professional", "ultimate"],
  [false, "free", "ultimate"],
  [true, "professional", "professional"],
  [true, "professional", null],
  [true, "ultimate", null],
  [false, "free", null],
])("it is %s that somebody on %s has what was paid for, when that was %s [DASH-17]", (isTrue, planType, bought) => {
  const plan = { planType, stripeCustomerId: "cus_1" };
  expect(isActivated(plan, { plan: bought, sessionId: "cs_1" })).toBe(isTrue);
  expect(isActivated(plan, { plan: bought, sessionId: null })).toBe(isTrue);
});

it("a manual customer who starts to pay has it once they are a customer of Stripe", () => {
  const bought = { plan: "ultimate", sessionId: "cs_1" } as const;
  expect(isActivated({ planType: "ultimate", stripeCustomerId: "manual_1" }, bought)).toBe(false);
  expect(isActivated({ planType: "ultimate", stripeCustomerId: "cus_1" }, bought)).toBe(true);
});
