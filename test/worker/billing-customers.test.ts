import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planOf } from "#domain/plans.ts";
import type { InvoiceList, PortalAnswer } from "#domain/wire.ts";
import { removeDeletedAccounts } from "#worker/accounts/deletion.ts";
import { servicesFor } from "#worker/services.ts";
import { payer, stripe, stripeEnv, type Payer } from "../support/stripe.ts";
import { answerOf, change } from "../support/worker.ts";

const { APP_ORIGIN } = env;
const API = "/api/subscription";

afterAll(async () => {
  expect(await stripe("faults")).toEqual([]);
});

describe("the billing portal", () => {
  it("opens for a customer, and comes back where the client said", async () => {
    const person = await payer();
    await person.buy("professional");
    const response = await person.post(`${API}/portal`, { returnUrl: "/dashboard?stripe_portal_return=true" });
    const url = expect.stringContaining("/portal/") as string;
    expect(await response.json()).toEqual({ url, isFallback: false, message: null, manualCustomer: false });
    expect((await person.state()).portals).toMatchObject([
      { return_url: `${APP_ORIGIN}/dashboard?stripe_portal_return=true`, flow: null },
    ]);
  });

  it("sends who never bought anything to the prices; the body may be left out", async () => {
    const answer = await (await (await payer()).fetch(`${API}/portal`, { method: "POST" })).json<PortalAnswer>();
    expect(answer).toMatchObject({ url: `${APP_ORIGIN}/pricing`, isFallback: true, manualCustomer: false });
  });

  it("says when Stripe does not know the customer, or answers nothing", async () => {
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

  it("says when it was never set up", async () => {
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
  it("are listed newest first, a page at a time, and only to whom they belong", async () => {
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

describe("an account that is deleted", () => {
  let person: Payer;
  beforeAll(async () => {
    person = await payer();
    await person.buy("ultimate");
  });

  it("stays until Stripe has ended what it pays for, and then nobody is charged any more", async () => {
    const customer = await person.customer();
    const { userId } = await person.row();
    await change("update users set deleted_at = ?, email = ? where id = ?", Date.now(), `deleted:${userId}`, userId);
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
