import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { payer, Payer, stripe } from "../support/stripe.ts";
import { answerOf } from "../support/worker.ts";
import { signUpManual, planOf } from "../support/manual-billing.ts";

const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

describe("in manual mode", () => {
  it("choosing a plan sets it immediately, creates a manual customer and keeps the billing month [API-26, PRICE-6, PRICE-10]", async () => {
    const person = await signUpManual();
    await person.startUpload(1000);
    const before = await planOf(person);
    const answer = await answerOf(
      person.post(`${API}/checkout`, {
        planType: "professional",
        successUrl: "/dashboard?session_id={CHECKOUT_SESSION_ID}",
      }),
    );
    expect(answer).toEqual([
      200,
      { url: `${env.APP_ORIGIN}/dashboard`, message: "You are now on the Professional plan." },
    ]);
    const after = await planOf(person);
    expect(after).toMatchObject({
      planType: "professional",
      hasSubscription: true,
      stripeCustomerId: expect.stringMatching(/^manual_/) as string,
      usage: { transferCount: 1, storageUsed: 1000 },
      subscription: { ...before.subscription, status: "active" },
    });
    expect(await answerOf(person.post(`${API}/manual-update`, { planType: "ultimate" }))).toEqual([
      200,
      { message: "You are now on the Ultimate plan.", planType: "ultimate" },
    ]);
    expect((await planOf(person)).stripeCustomerId).toBe(after.stripeCustomerId);
    expect(await answerOf(person.post(`${API}/manual-update`, { planType: "ultimate" }))).toMatchObject([
      200,
      { message: "You're already on the Ultimate plan" },
    ]);
  });

  it("a plan can end immediately or with the billing month, and can be resumed until then [PRICE-10]", async () => {
    const person = await signUpManual("professional");
    await person.post(`${API}/manual-update`, { planType: "free", atPeriodEnd: true });
    expect(await planOf(person)).toMatchObject({
      planType: "professional",
      subscription: { status: "active", cancelAtPeriodEnd: true },
    });
    await person.post(`${API}/manual-update`, { planType: "professional" });
    expect(await planOf(person)).toMatchObject({
      planType: "professional",
      subscription: { cancelAtPeriodEnd: false },
    });
    await person.post(`${API}/manual-update`, { planType: "free" });
    expect(await planOf(person)).toMatchObject({
      planType: "free",
      hasSubscription: false,
      stripeCustomerId: expect.stringMatching(/^manual_/) as string,
      subscription: { status: "active", cancelAtPeriodEnd: false },
    });
  });

  it("a manual customer gets no portal and no invoices, and cannot convert without Stripe [API-24, API-25]", async () => {
    const person = await signUpManual("professional");
    expect(await answerOf(person.post(`${API}/portal`, {}))).toEqual([
      200,
      {
        url: null,
        isFallback: false,
        manualCustomer: true,
        message: expect.stringContaining("Convert it to Stripe") as string,
      },
    ]);
    expect(await answerOf(person.fetch(`${API}/invoices`))).toEqual([200, { invoices: [], hasMore: false }]);
    const [status, answer] = await answerOf(person.post(`${API}/convert-to-stripe`, undefined));
    expect([status, answer.error]).toEqual([503, expect.stringContaining("billing is not configured on this server")]);
  });
});

describe("without Stripe and manual mode", () => {
  it("checkout answers 503 with a clear message, and no call sets a plan [PRICE-11]", async () => {
    const person = await payer({
      ...env,
      APP_ENV: "production",
      RATE_LIMITS: "on",
      MAIL_TRANSPORT: "cloudflare",
      BILLING: "stripe",
    });
    const message = expect.stringContaining("billing is not configured") as string;
    expect(await answerOf(person.post(`${API}/checkout`, { planType: "professional" }))).toMatchObject([
      503,
      { message, error: message },
    ]);
    expect((await person.post(`${API}/manual-update`, { planType: "professional" })).status).toBe(503);
    expect(await person.plan()).toMatchObject({ planType: "free" });
  });
});

describe("a manual customer after Stripe is configured", () => {
  it("keeps the plan without a portal, and becomes a Stripe customer with the first payment [API-25, PRICE-5]", async () => {
    const { cookie, email } = await signUpManual("professional");
    const person = new Payer(cookie, email);
    expect(await answerOf(person.post(`${API}/portal`, {}))).toMatchObject([200, { url: null, manualCustomer: true }]);
    expect((await person.plan("?refresh=true")).planType).toBe("professional");
    const [status, { url, sessionId }] = await answerOf(person.post(`${API}/convert-to-stripe`, undefined));
    expect([status, url]).toEqual([200, expect.stringContaining("/pay/")]);
    expect(await person.customer()).toMatch(/^manual_/);
    const { converting } = await person.row();
    expect((await person.plan("?refresh=true")).planType).toBe("professional");
    await stripe("complete", { session: sessionId });
    expect((await person.plan("?refresh=true")).planType).toBe("professional");
    expect(await person.row()).toMatchObject({ id: converting, converting: null, plan: "professional" });
    expect((await person.post(`${API}/portal`, {})).status).toBe(200);
    expect((await person.post(`${API}/convert-to-stripe`, undefined)).status).toBe(409);
  });
});
