import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { PLANS, type PlanId } from "#domain/plans.ts";
import { plans as planMessages } from "#messages/en/plans.ts";
import { apiWith, payer, stripe, stripeEnv } from "../support/stripe.ts";
import { answerOf, Client, putOnPlan, signUp } from "../support/worker.ts";

const { APP_ORIGIN } = env;
const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

describe("the plans", () => {
  it("plans are listed with everything their cards show [API-23, CONST-2, ENT-18]", async () => {
    const [status, plans] = await answerOf(new Client().fetch(`${API}/plans`));
    expect(status).toBe(200);
    expect(plans).toEqual(
      PLANS.map(({ id, name, priceUsdCents, limits }) => ({
        id,
        name,
        description: planMessages[id],
        price: priceUsdCents / 100,
        limits: {
          storage: limits.monthBytes,
          transfers: limits.monthTransfers,
          entries: limits.entries,
          maxExpiry: limits.longestExpiration,
          fileSize: limits.fileSizeBytes,
          stored: limits.storedBytes,
        },
        features: expect.arrayContaining([expect.any(String)]) as string[],
      })),
    );
    const headers = { "accept-language": "de-DE, en;q=0.5" };
    const [, german] = await answerOf(new Client().fetch(`${API}/plans`, { headers }));
    const germanText = JSON.stringify(german);
    expect(germanText).toContain("Für gelegentliche Dateien.");
    expect(germanText).toContain("Links, die 7 Tage, 30 Tage oder 60 Tage gelten");
    expect(germanText).toContain("Bevorzugter Support");
  });

  it("the current plan has its limits and this month's usage, and is never cached [API-22, ENT-17]", async () => {
    const person = await payer();
    await person.startUpload(1024 ** 3 / 4);
    const response = await person.fetch(`${API}/current-plan`);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const { start, end } = await person.row();
    expect(await response.json()).toEqual({
      planType: "free",
      planName: "Free",
      limits: {
        storage: 2 * 1024 ** 3,
        transfers: 20,
        entries: 1000,
        maxExpiry: "3d",
        fileSize: 500 * 1024 ** 2,
        stored: null,
      },
      usage: { transferCount: 1, transferPercentage: 5, storageUsed: 1024 ** 3 / 4, storagePercentage: 13 },
      subscription: {
        status: "active",
        cancelAtPeriodEnd: false,
        currentPeriodStart: new Date(start).toISOString(),
        currentPeriodEnd: new Date(end).toISOString(),
      },
      hasSubscription: false,
      stripeCustomerId: null,
    });
  });

  it.each<[PlanId, number]>([
    ["free", 2_147_483_648],
    ["professional", 107_374_182_400],
    ["ultimate", 1_099_511_627_776],
  ])("%s always has its storage limit: %i bytes [CONST-8]", async (plan, storage) => {
    const person = await signUp();
    await putOnPlan(person.email, plan);
    const [status, answer] = await answerOf(person.fetch(`${API}/current-plan`));
    expect([status, answer]).toMatchObject([200, { planType: plan, limits: { storage } }]);
  });
});

describe("a checkout", () => {
  it("checkout opens Stripe's page, and the plan is active after the payment's webhook event [API-27, PRICE-7]", async () => {
    const person = await payer();
    const [status, answer] = await answerOf(person.post(`${API}/checkout`, { planType: "professional" }));
    expect([status, answer]).toEqual([
      200,
      {
        url: expect.stringContaining(env.STRIPE_API_URL) as string,
        sessionId: expect.stringMatching(/^cs_/) as string,
        publicKey: "pk_test_double",
      },
    ]);
    const { customer, checkouts } = await person.state();
    const { userId, id } = await person.row();
    expect(customer).toMatchObject({ email: person.email, metadata: { userId } });
    expect(checkouts).toMatchObject([
      {
        success_url: `${APP_ORIGIN}/dashboard?checkout=success&plan=professional&session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${APP_ORIGIN}/pricing?checkout=cancelled`,
      },
    ]);
    expect((await person.plan()).planType).toBe("free");
    await stripe("complete", { session: answer.sessionId });
    expect((await person.plan()).planType).toBe("free");
    await person.deliverAll();
    expect(await person.plan()).toMatchObject({
      planType: "professional",
      planName: "Professional",
      hasSubscription: true,
      stripeCustomerId: id,
      subscription: { status: "active", cancelAtPeriodEnd: false },
    });
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ planType: "professional" });
  });

  it("checkout returns to the requested page with the checkout's id", async () => {
    const person = await payer();
    const successUrl = `${APP_ORIGIN}/dashboard?a=1&session_id={CHECKOUT_SESSION_ID}#top`;
    await person.post(`${API}/checkout`, {
      planType: "ultimate",
      successUrl,
      cancelUrl: "/pricing",
      mode: "subscription",
    });
    expect((await person.state()).checkouts).toMatchObject([
      {
        success_url: `${APP_ORIGIN}/dashboard?a=1&session_id={CHECKOUT_SESSION_ID}#top`,
        cancel_url: `${APP_ORIGIN}/pricing`,
      },
    ]);
  });

  it("a new checkout expires older open ones, and parallel checkouts share one customer", async () => {
    const person = await payer();
    const first = await person.checkout("professional");
    const second = await person.checkout("ultimate");
    const { checkouts } = await person.state();
    expect(checkouts.map(({ id, status }) => [id, status])).toEqual([
      [first, "expired"],
      [second, "open"],
    ]);
    const other = await payer();
    const answers = await Promise.all([
      other.checkout("ultimate"),
      other.checkout("ultimate"),
      other.checkout("ultimate"),
    ]);
    expect((await other.state()).checkouts.map(({ id }) => id).sort()).toEqual(answers.sort());
  });

  it("checkout with a paid plan changes the subscription, so that nobody pays twice", async () => {
    const person = await payer();
    const subscription = await person.buy("professional");
    const up = await person.post(`${API}/checkout`, { planType: "ultimate", successUrl: "/dashboard?up=1" });
    expect(await up.json()).toEqual({ url: expect.stringContaining("/portal/") as string });
    await person.post(`${API}/checkout`, { planType: "free" });
    const { portals, checkouts } = await person.state();
    expect(portals).toMatchObject([
      { flow: { type: "subscription_update_confirm", subscription, back: `${APP_ORIGIN}/dashboard?up=1` } },
      { flow: { type: "subscription_cancel", subscription } },
    ]);
    expect(checkouts).toHaveLength(1);
    expect(await answerOf(person.post(`${API}/checkout`, { planType: "professional" }))).toMatchObject([
      409,
      { message: "You're already on the Professional plan", error: "You're already on the Professional plan" },
    ]);
  });

  it("checkout creates a new customer if the old one was deleted at Stripe", async () => {
    const person = await payer();
    await person.checkout("professional");
    const former = await person.customer();
    await stripe("delete-customer", { customer: former });
    await person.buy("ultimate");
    expect(await person.customer()).not.toBe(former);
    expect((await person.plan()).planType).toBe("ultimate");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "data:text/html,hi",
    `${APP_ORIGIN}.evil.example/`,
    `${APP_ORIGIN.replace("//", "//me:secret@")}/dashboard`,
    "http://[",
  ])("a redirect to %s, which is not our origin, is 400 [API-27]", async (address) => {
    const person = await payer();
    const error = { code: "REDIRECT_REFUSED" };
    const options = { planType: "professional" };
    expect(await answerOf(person.post(`${API}/checkout`, { ...options, successUrl: address }))).toMatchObject([
      400,
      error,
    ]);
    expect(await answerOf(person.post(`${API}/checkout`, { ...options, cancelUrl: address }))).toMatchObject([
      400,
      error,
    ]);
    expect(await answerOf(person.post(`${API}/portal`, { returnUrl: address }))).toMatchObject([400, error]);
    expect(await person.customer()).toBe("");
  });

  it.each<[string, unknown]>([
    ["checkout", {}],
    ["checkout", { planType: "gold" }],
    ["checkout", { planType: "professional", successUrl: 7 }],
    ["checkout", { planType: "professional", successUrl: `/${"a".repeat(2100)}` }],
    ["checkout", []],
    ["manual-update", {}],
    ["manual-update", { planType: "PROFESSIONAL" }],
    ["manual-update", { planType: "professional", sessionId: 5 }],
    ["manual-update", { planType: "professional", sessionId: "a".repeat(300) }],
    ["portal", { returnUrl: ["/"] }],
  ])("%s with an invalid field (%#) is 400 and names the field [API-27, ENT-2, VAL-8]", async (call, body) => {
    const [status, answer] = await answerOf((await payer()).post(`${API}/${call}`, body));
    expect([status, answer.code]).toEqual([400, "BAD_REQUEST"]);
    expect(answer).toHaveProperty("field");
  });

  it("billing calls require an account and a same-site request", async () => {
    const visitor = new Client("", apiWith(stripeEnv));
    for (const call of ["checkout", "portal", "convert-to-stripe", "manual-update"]) {
      const response = await visitor.post(`${API}/${call}`, { planType: "professional" });
      expect([response.status, await response.json()]).toMatchObject([401, { requiresAuth: true }]);
    }
    for (const call of ["current-plan", "invoices"]) expect((await visitor.fetch(`${API}/${call}`)).status).toBe(401);
    const foreign = await (
      await payer()
    ).fetch(`${API}/checkout`, { method: "POST", headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });
});

describe("a claimed payment", () => {
  const claim = {
    planType: "ultimate",
    isProduction: true,
    redirectStatus: "succeeded",
    checkoutParam: "success",
    referrer: "x",
  };

  it("a claimed payment applies the plan that Stripe reports as paid [API-26]", async () => {
    const person = await payer();
    const sessionId = await person.checkout("professional");
    await stripe("complete", { session: sessionId });
    expect(await answerOf(person.post(`${API}/manual-update`, { ...claim, sessionId }))).toEqual([
      200,
      { message: "You are on the Professional plan. To change it, open the billing portal.", planType: "professional" },
    ]);
    expect(await answerOf(person.post(`${API}/manual-update`, { planType: "professional" }))).toEqual([
      200,
      { message: "You are now on the Professional plan.", planType: "professional" },
    ]);
  });

  it("a claim with an open, expired, unpaid or missing checkout is 402 and changes nothing [PRICE-12]", async () => {
    const person = await payer();
    const update = async (sessionId: string | null) =>
      answerOf(person.post(`${API}/manual-update`, { ...claim, sessionId }));
    expect(await update(null)).toMatchObject([402, { code: "PAYMENT_REQUIRED" }]);
    const expired = await person.checkout("ultimate");
    expect(await update(expired)).toMatchObject([402, {}]);
    await stripe("expire", { session: expired });
    expect(await update(expired)).toMatchObject([402, {}]);
    const unpaid = await person.checkout("ultimate");
    await stripe("complete", { session: unpaid, paid: false });
    expect(await update(unpaid)).toMatchObject([402, {}]);
    expect(await update(null)).toMatchObject([402, {}]);
    await person.deliverAll();
    expect((await person.row()).plan).toBe("free");
  });

  it("a claim with another user's or an unknown checkout is 404 and changes nothing [PRICE-12]", async () => {
    const [person, thief] = [await payer(), await payer()];
    const sessionId = await person.checkout("ultimate");
    await stripe("complete", { session: sessionId });
    for (const id of [sessionId, "cs_test_invented", "in_1", "../customers", "cs_test_1?x=1", ""]) {
      const answer = await answerOf(thief.post(`${API}/manual-update`, { ...claim, sessionId: id }));
      expect(answer).toMatchObject([404, { code: "CHECKOUT_NOT_FOUND" }]);
    }
    expect((await thief.row()).plan).toBe("free");
  });
});

describe("rate limits", () => {
  it.each([
    ["checkout", CALL_LIMITS.checkout[0].maxCalls],
    ["portal", CALL_LIMITS.portal[0].maxCalls],
    ["manual-update", CALL_LIMITS.manualUpdate[0].maxCalls],
  ])("%s is answered 5 times a minute, then 429 with Retry-After [LIM-14]", async (call, maxCalls) => {
    const person = await payer({ ...env, RATE_LIMITS: "on" });
    const statuses: number[] = [];
    for (let calls = 0; calls < maxCalls + 1; calls += 1) {
      const response = await person.post(`${API}/${call}`, { planType: "professional" });
      statuses.push(response.status);
      expect(response.headers.has("retry-after")).toBe(calls === maxCalls);
    }
    expect([maxCalls, ...statuses]).toEqual([5, 200, 200, 200, 200, 200, 429]);
  });
});
