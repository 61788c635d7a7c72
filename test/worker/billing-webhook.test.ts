import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import type { PlanId } from "#domain/plans.ts";
import { apiWith, deliver, payer, stripe, stripeEnv, type Payer, type SignedEvent } from "../support/stripe.ts";
import { playLife } from "../support/subscription-life.ts";
import { Client } from "../support/worker.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      /** The number of random subscription histories. */
      BILLING_LIVES: string;
    }
  }
}

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

/** Pays at Stripe without delivering the events. */
async function paid(planType: PlanId = "professional"): Promise<{ person: Payer; events: SignedEvent[] }> {
  const person = await payer();
  await stripe("complete", { session: await person.checkout(planType) });
  return { person, events: await person.events() };
}

function eventOf(events: SignedEvent[], type: string): SignedEvent {
  return events.find((event) => event.type === type) ?? expect.unreachable(`no ${type}`);
}

function sign(body: string, at?: number): Promise<{ signature: string }> {
  return stripe("sign", { body, ...(at === undefined ? {} : { at }) });
}

const epochSeconds = () => Math.floor(Date.now() / 1000);

describe("the webhook", () => {
  it.each<[string, (event: SignedEvent) => SignedEvent | Promise<SignedEvent>]>([
    ["that is empty", (event) => ({ ...event, signature: "" })],
    ["made with another secret", (event) => ({ ...event, signature: `t=${epochSeconds()},v1=${"0".repeat(64)}` })],
    ["over another body", (event) => ({ ...event, body: event.body.replace("evt_", "evt_9") })],
    ["over a body with one more space", (event) => ({ ...event, body: `${event.body} ` })],
    ["older than 300 seconds", async (event) => ({ ...event, ...(await sign(event.body, epochSeconds() - 302)) })],
    [
      "with a newer timestamp",
      (event) => ({ ...event, signature: event.signature.replace(/t=\d+/, `t=${epochSeconds() + 60}`) }),
    ],
    ["of another scheme", (event) => ({ ...event, signature: event.signature.replace("v1=", "v0=") })],
    ["in an unknown format", (event) => ({ ...event, signature: "hello" })],
  ])("a signature %s is 400 and changes nothing [PRICE-8]", async (_what, spoil) => {
    const { person, events } = await paid();
    const response = await deliver(await spoil(eventOf(events, "customer.subscription.created")));
    expect([response.status, await response.json()]).toMatchObject([400, { code: "SIGNATURE_INVALID" }]);
    expect((await person.row()).plan).toBe("free");
  });

  it("accepts a cross-site request of Stripe with a signature of the last 300 seconds [PRICE-8]", async () => {
    const { person, events } = await paid();
    const { body } = eventOf(events, "customer.subscription.created");
    const { signature } = await sign(body, epochSeconds() - 295);
    const headers = { origin: "https://stripe.com", "stripe-signature": signature };
    const webhook = new Client("", apiWith(stripeEnv));
    expect((await webhook.fetch("/api/stripe/webhook", { method: "POST", headers, body })).status).toBe(200);
    expect((await person.row()).plan).toBe("professional");
  });

  it("checks for the signature before it reads the body, and limits the body's size", async () => {
    const webhook = new Client("", apiWith(stripeEnv));
    expect((await webhook.fetch("/api/stripe/webhook", { method: "POST", body: "{}" })).status).toBe(400);
    const body = "x".repeat(1024 ** 2 + 1);
    expect((await deliver({ body, ...(await sign("x")) })).status).toBe(413);
    expect((await new Client().fetch("/api/stripe/webhook", { method: "POST", body: "{}" })).status).toBe(503);
  });
});

describe("a webhook event", () => {
  it("a repeated event is handled only once [PRICE-9]", async () => {
    const { person, events } = await paid();
    for (const event of events) expect((await deliver(event)).status).toBe(200);
    expect((await person.row()).plan).toBe("professional");
    const [subscription] = (await person.state()).subscriptions;
    await stripe("live", { subscription: subscription?.id, step: "delete" });
    for (const event of events) expect((await deliver(event)).status).toBe(200);
    expect((await person.row()).plan).toBe("professional");
    await person.deliverAll();
    expect((await person.row()).plan).toBe("free");
  });

  it("an event that failed because Stripe did not answer is handled with its next delivery", async () => {
    const { person, events } = await paid("ultimate");
    const event = eventOf(events, "customer.subscription.created");
    await stripe("fail", { match: await person.customer(), times: 3 });
    expect((await deliver(event)).status).toBe(502);
    expect((await person.row()).plan).toBe("free");
    expect((await deliver(event)).status).toBe(200);
    expect((await person.row()).plan).toBe("ultimate");
  });

  it("an event about an unknown customer is 200 and does nothing", async () => {
    const { id: customer } = await stripe<{ id: string }>("customer");
    await stripe("subscribe", { customer, plan: "ultimate" });
    for (const event of await stripe<SignedEvent[]>("events", { customer }))
      expect((await deliver(event)).status).toBe(200);
    const { n } =
      (await env.DB.prepare("select count(*) as n from subscriptions where stripe_customer_id = ?")
        .bind(customer)
        .first<{ n: number }>()) ?? {};
    expect(n).toBe(0);
  });

  it("an event that does not concern plans is 200 and does nothing", async () => {
    const { person } = await paid();
    const object = { object: "charge", customer: await person.customer() };
    const body = JSON.stringify({ id: "evt_other", object: "event", type: "charge.succeeded", data: { object } });
    expect((await deliver({ body, ...(await sign(body)) })).status).toBe(200);
    expect((await person.row()).plan).toBe("free");
  });
});

describe("a subscription's changes at Stripe", () => {
  it.each([
    ["fail", "professional", "past_due"],
    ["trialing", "professional", "trialing"],
    ["unpaid", "free", "unpaid"],
    ["paused", "free", "paused"],
    ["delete", "free", "active"],
  ])("after step %s the plan is %s and the subscription %s", async (step, planType, status) => {
    const person = await payer();
    const subscription = await person.buy("professional");
    await stripe("live", { subscription, step });
    await person.deliverAll();
    expect(await person.plan()).toMatchObject({ planType, subscription: { status, cancelAtPeriodEnd: false } });
  });

  it("a cancelled plan continues until the end of its billing month and can be resumed", async () => {
    const person = await payer();
    const subscription = await person.buy("ultimate");
    for (const [step, cancelAtPeriodEnd] of [
      ["leave", true],
      ["stay", false],
    ] as const) {
      await stripe("live", { subscription, step });
      await person.deliverAll();
      expect(await person.plan()).toMatchObject({
        planType: "ultimate",
        subscription: { status: "active", cancelAtPeriodEnd },
      });
    }
  });

  it("of several subscriptions the best live one decides the plan", async () => {
    const person = await payer();
    const ultimate = await person.buy("ultimate");
    await stripe("subscribe", { customer: await person.customer(), plan: "professional" });
    await person.deliverAll();
    expect((await person.plan()).planType).toBe("ultimate");
    await stripe("live", { subscription: ultimate, step: "unpaid" });
    await person.deliverAll();
    expect(await person.plan()).toMatchObject({ planType: "professional", subscription: { status: "active" } });
  });

  it("a refresh reads the plan from Stripe without a webhook event [API-22]", async () => {
    const person = await payer();
    await stripe("complete", { session: await person.checkout("professional") });
    expect((await person.plan()).planType).toBe("free");
    expect((await person.plan("?refresh=true")).planType).toBe("professional");
    await stripe("fail", { match: await person.customer(), times: 3 });
    expect((await person.fetch("/api/subscription/current-plan?refresh=true")).status).toBe(502);
    expect((await person.fetch("/api/subscription/current-plan?refresh=yes")).status).toBe(400);
  });
});

describe("parallel syncs with Stripe", () => {
  it.each<[string, string, Record<string, string>, PlanId]>([
    ["another plan", "trialing", { step: "change", plan: "ultimate" }, "ultimate"],
    ["the plan that is there already", "unpaid", { step: "recover" }, "professional"],
  ])(
    "an older answer that arrives late does not overwrite a newer one with %s [PRICE-9]",
    async (_what, before, after, planType) => {
      const person = await payer();
      const subscription = await person.buy("professional");
      const customer = await person.customer();
      await stripe("live", { subscription, step: before });
      const match = `/v1/subscriptions ?customer=${customer}`;
      await stripe("hold", { match });
      const [older] = (await person.events()).slice(-1);
      const late = deliver(older ?? expect.unreachable());
      await stripe("caught", { match });
      await stripe("live", { subscription, ...after });
      const [newer] = (await person.events()).slice(-1);
      expect((await deliver(newer ?? expect.unreachable())).status).toBe(200);
      expect((await person.row()).plan).toBe(planType);
      await stripe("release", { match });
      expect((await late).status).toBe(200);
      expect((await person.row()).plan).toBe(planType);
    },
  );
});

describe("random subscription histories", () => {
  it("the plan is right although events arrive shuffled and up to three times [PRICE-9]", async () => {
    const lives = Number(env.BILLING_LIVES);
    const batchSize = 25;
    for (let seed = 1; seed <= lives; seed += batchSize) {
      const seeds = Array.from({ length: Math.min(batchSize, lives - seed + 1) }, (_, index) => seed + index);
      const results = await Promise.all(seeds.map(playLife));
      for (const { story, plan, expected, filesEnded, mails } of results) {
        expect(plan, story).toBe(expected);
        if (expected !== "ultimate") expect(filesEnded, story).toBe(true);
        expect(mails, story).toBe(filesEnded ? 1 : 0);
      }
    }
  }, 900_000);
});
