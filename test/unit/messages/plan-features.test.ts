import { expect, it } from "vitest";
import { planOf, type Plan } from "#domain/plans.ts";
import { listPlans } from "#worker/billing/listed-plans.ts";

it("a plan that adds no expiry to the cheaper one does not list any", () => {
  const ultimate = planOf("ultimate");
  const larger: Plan = { ...ultimate, name: "Larger", priceUsdCents: 2 * ultimate.priceUsdCents };
  const [, second] = listPlans("en", [ultimate, larger]);
  expect(second?.features).toEqual(["Everything in Ultimate", "Up to 2 TB stored at once"]);
});

it("a plan lists the expiries that it adds to the cheaper one", () => {
  const [, professional, ultimate] = listPlans("en");
  expect(professional?.features).toContain("Links that last 7 days, 30 days, or 60 days");
  expect(ultimate?.features).toContain("Links that last 1 year or forever");
});
