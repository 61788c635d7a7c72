// @module-tag long
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planOf } from "#domain/plans.ts";
import type { InvoiceList, PortalAnswer } from "#domain/wire.ts";
import { removeDeletedAccounts } from "#worker/admin/remove-account.ts";
import { servicesFor } from "#worker/services.ts";
import { payer, stripe, stripeEnv, type Payer } from "../support/stripe.ts";
import { answerOf, runSql } from "../support/worker.ts";

const { APP_ORIGIN } = env;
const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

describe("the billing portal", () => {
  it("the billing portal opens for a customer and returns to the requested page [API-24, PRICE-7, ROLE-5]", async () => {
    const person = await payer();
    await person.buy("professional");
    const response = await person.post(`${API}/portal`, { returnUrl: "/dashboard?stripe_portal_return=true" });
    const url = expect.stringContaining("/portal/") as string;
    expect(await response.json()).toEqual({ url, isFallback: false, message: null, manualCustomer: false });
    expect((await person.state()).portals).toMatchObject([
      { return_url: `${APP_ORIGIN}/dashboard?stripe_portal_return=true`, flow: null },
    ]);
  });

  it("the portal call sends users without a customer to the pricing page; its body is optional [API-24]", async () => {
    const answer = await (await (await payer()).fetch(`${API}/portal`, { method: "POST" })).json<PortalAnswer>();
    expect(answer).toMatchObject({ url: `${APP_ORIGIN}/pricing`, isFallback: true, manualCustomer: false });
  });

  it("the portal call reports when Stripe does not know the customer or does not answer [ERR-41]", async () => {
    const person = await payer();
    await person.buy("professional");
    await stripe("fail", { match: await person.customer(), times: 3 });
    expect(await answerOf(person.post(`${API}/portal`, {}))).toMatchObject([502, { code: "STRIPE_UNREACHABLE" }]);
    await stripe("delete-customer", { customer: await person.customer() });
    expect(await answerOf(person.post(`${API}/portal`, {}))).toMatchObject([
      404,
      { message: "Your customer record was not found in Stripe. Please contact support." },
    ]);
  });

  it("the portal call reports when the portal is not configured at Stripe [ERR-40]", async () => {
    const person = await payer();
    await person.buy("professional");
    await stripe("portal-off", { customer: await person.customer() });
    expect(await answerOf(person.post(`${API}/portal`, {}))).toMatchObject([
      503,
      { message: "The Stripe Billing Portal is not set up for this account. Please contact support." },
    ]);
  });
});

describe("invoices", () => {
  it("invoices are listed newest first, in pages, and only to their customer [PRICE-7]", async () => {
    const [person, other] = [await payer(), await payer()];
    const subscription = await person.buy("professional");
    for (let month = 0; month < 25; month += 1) await stripe("live", { subscription, step: "renew" });
    const first = await (await person.fetch(`${API}/invoices`)).json<InvoiceList>();
    expect([first.invoices.length, first.hasMore]).toEqual([24, true]);
    expect(first.invoices[0]).toEqual({
      id: expect.stringMatching(/^in_/) as string,
      number: expect.stringMatching(/^D-/) as string,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      amountCents: planOf("professional").priceUsdCents,
      currency: "usd",
      status: "paid",
      pdfUrl: expect.stringMatching(/^https:.*pdf$/) as string,
    });
    const after = first.invoices.at(-1)?.id ?? "";
    const rest = await (await person.fetch(`${API}/invoices?after=${after}`)).json<InvoiceList>();
    expect([rest.invoices.length, rest.hasMore]).toEqual([2, false]);
    expect(await (await other.fetch(`${API}/invoices`)).json()).toEqual({ invoices: [], hasMore: false });
    await other.checkout("professional");
    expect((await other.fetch(`${API}/invoices?after=${after}`)).status).toBe(404);
    expect((await other.fetch(`${API}/invoices?after=../x`)).status).toBe(400);
  });
});

describe("deleting an account", () => {
  let person: Payer;
  beforeAll(async () => {
    person = await payer();
    await person.buy("ultimate");
  });

  it("a deleted account's rows stay until Stripe has cancelled its subscriptions", async () => {
    const customer = await person.customer();
    const { userId } = await person.row();
    await runSql("update users set deleted_at = ?, email = ? where id = ?", Date.now(), `deleted:${userId}`, userId);
    await stripe("fail", { match: customer, times: 3 });
    const services = servicesFor(stripeEnv);
    const rows = () => env.DB.prepare("select count(*) as n from users where id = ?").bind(userId).first("n");
    await removeDeletedAccounts(services, Date.now());
    expect(await rows()).toBe(1);
    expect(await stripe("state", { customer })).toMatchObject({ subscriptions: [{ status: "active" }] });
    await removeDeletedAccounts(services, Date.now());
    expect(await rows()).toBe(0);
    expect(await stripe("state", { customer })).toMatchObject({
      customer: { deleted: true },
      subscriptions: [{ status: "canceled" }],
    });
  });
});
