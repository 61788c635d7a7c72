import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFree, PLANS } from "#domain/plans.ts";
import { lookupKeyOf, STRIPE_EVENTS } from "#domain/stripe.ts";
import { setUpStripe } from "../../scripts/stripe-setup.ts";
import { startStripeDouble, type StripeDouble } from "#test/support/stripe-double/server.ts";

const ORIGIN = "https://files.example.com";
const PAID = PLANS.filter(({ id }) => !isFree(id));

let double: StripeDouble;
let stripe: Stripe;
beforeAll(async () => {
  double = await startStripeDouble({
    port: 0,
    secretKey: "sk_test_setup",
    webhookSecret: "whsec_setup",
    delivers: false,
  });
  stripe = new Stripe("sk_test_setup", { protocol: "http", host: "localhost", port: new URL(double.origin).port });
});
afterAll(async () => {
  await double.close();
});

describe("setting up a Stripe account", () => {
  it("creates products, prices, portal and webhook from the plans; a second run changes nothing [CONST-2]", async () => {
    const first = await setUpStripe(stripe, ORIGIN);
    expect(first.webhookSecret).toBe("whsec_setup");
    const { ledger } = double;
    expect(
      [...ledger.prices.values()].map(({ lookup_key, unit_amount, currency }) => [lookup_key, unit_amount, currency]),
    ).toEqual(PAID.map(({ id, priceUsdCents }) => [lookupKeyOf(id), priceUsdCents, "usd"]));
    expect([...ledger.endpoints.values()]).toMatchObject([
      { url: `${ORIGIN}/api/stripe/webhook`, enabled_events: [...STRIPE_EVENTS] },
    ]);
    const second = await setUpStripe(stripe, ORIGIN);
    expect(second).toEqual({
      ...first,
      webhookSecret: null,
      prices: first.prices.map((price) => ({ ...price, isNew: false })),
    });
    expect([ledger.products.size, ledger.prices.size, ledger.configurations.size, ledger.endpoints.size]).toEqual([
      PAID.length,
      PAID.length,
      1,
      1,
    ]);
  });

  it("creates a new price for a changed one and moves the lookup key; the old price still gives its plan", async () => {
    const { ledger } = double;
    const [plan] = PAID;
    const older = ledger.priceOf(lookupKeyOf(plan?.id ?? "free"));
    older.unit_amount += 100;
    const { prices } = await setUpStripe(stripe, ORIGIN);
    expect(prices.map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(ledger.priceOf(lookupKeyOf(plan?.id ?? "free"))).toMatchObject({ unit_amount: plan?.priceUsdCents });
    expect(older).toMatchObject({ lookup_key: null, active: true, metadata: { planType: plan?.id } });
    expect(double.faults).toEqual([]);
  });
});

describe("the double", () => {
  it("rejects requests that Stripe would reject, with Stripe's messages, and records them as faults", async () => {
    const post = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${double.origin}/v1/checkout/sessions`, {
        method: "POST",
        headers: {
          authorization: "Bearer sk_test_setup",
          "stripe-version": "2026-10-28.endive",
          "content-type": "application/x-www-form-urlencoded",
          "idempotency-key": crypto.randomUUID(),
          ...headers,
        },
        body,
      });
    const known =
      "mode=subscription&customer=cus_1&line_items[0][price]=price_1&line_items[0][quantity]=1&success_url=https://a.example";
    const refused = [
      [await post(known, { authorization: "Bearer wrong" }), 401, "Invalid API Key"],
      [await post(known, { "stripe-version": "2020-01-01" }), 400, "API version"],
      [await post(known, { "content-type": "application/json" }), 400, "content type"],
      [await post(`${known}&colour=red`), 400, "unknown parameter: colour"],
      [await post(known.replace("mode=subscription&", "")), 400, "Missing required param: mode"],
      [await post(known.replace("quantity]=1", "quantity]=two")), 400, "Invalid line_items"],
    ] as const;
    for (const [response, status, words] of refused) {
      expect(response.status).toBe(status);
      expect(await response.text()).toContain(words);
    }
    expect(double.faults).toHaveLength(refused.length);
  });
});
