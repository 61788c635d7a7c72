import type { Deliveries } from "./deliveries.ts";
import { lookupKeyOf } from "#domain/stripe.ts";
import { PLANS } from "#domain/plans.ts";
import type { Checkout, Ledger, PortalSession } from "./ledger.ts";
import { missing, Refusal } from "./request.ts";

/** A page, or a redirect. */
export type PageAnswer = { html: string } | { location: string };

/** Simple pages in place of Stripe's checkout (`/pay/…`) and billing portal (`/portal/…`). */
export async function answerPage(
  ledger: Ledger,
  deliveries: Deliveries | null,
  path: string,
  form: URLSearchParams | null,
): Promise<PageAnswer> {
  const [, kind = "", id = ""] = path.split("/");
  const checkout = ledger.checkouts.get(id);
  if (kind === "pay" && checkout) return form ? pay(ledger, deliveries, checkout, form) : payPage(ledger, checkout);
  const portal = ledger.portals.get(id);
  if (kind === "portal" && portal) return form ? manage(ledger, portal, form) : portalPage(ledger, portal);
  throw missing("page", path);
}

function payPage({ prices }: Ledger, checkout: Checkout): PageAnswer {
  if (checkout.status !== "open") return { html: page("Checkout", "<p>This checkout is not open any more.</p>") };
  const amount = (prices.get(checkout.bought.price)?.unit_amount ?? 0) / 100;
  const buttons = [
    button("pay", "Pay"),
    button("late", "Pay, and tell late"),
    button("slow", "Pay by a slow bank"),
    button("back", "Back"),
  ];
  return { html: page("Checkout", `<p>$${amount.toFixed(2)} per month</p>${formOf(buttons)}`) };
}

async function pay(
  ledger: Ledger,
  deliveries: Deliveries | null,
  checkout: Checkout,
  form: URLSearchParams,
): Promise<PageAnswer> {
  const choice = form.get("choice");
  if (choice === "back") return { location: checkout.cancel_url ?? checkout.success_url };
  if (choice === "late") deliveries?.hold(checkout.customer);
  ledger.complete(checkout, choice !== "slow");
  if (choice === "pay") await deliveries?.settled();
  return { location: checkout.success_url.replaceAll("{CHECKOUT_SESSION_ID}", checkout.id) };
}

function portalPage(ledger: Ledger, { customer, flow }: PortalSession): PageAnswer {
  if (flow) {
    const asked = flow.type === "subscription_cancel" ? "Cancel your plan?" : "Change your plan?";
    return {
      html: page(
        "Billing portal",
        `<p>${asked}</p>${formOf([button("confirm", "Confirm"), button("return", "Return")])}`,
      ),
    };
  }
  const [subscription] = liveOf(ledger, customer);
  const plans = PLANS.filter(({ priceUsdCents }) => priceUsdCents > 0).map(({ id, name }) =>
    button(`change:${id}`, `Change to ${name}`),
  );
  const own = subscription
    ? [
        subscription.cancel_at_period_end ? button("stay", "Do not cancel") : button("leave", "Cancel at the end"),
        button("delete", "Cancel at once"),
        button("fail", "Let the payment fail"),
        ...plans,
      ]
    : [];
  return { html: page("Billing portal", formOf([...own, button("return", "Return")])) };
}

function manage(ledger: Ledger, portal: PortalSession, form: URLSearchParams): PageAnswer {
  const [step = "", plan] = (form.get("choice") ?? "").split(":");
  const home = { location: portal.return_url ?? "/" };
  if (step === "return") return home;
  if (step === "confirm" && portal.flow) {
    const { type, subscription, price, back } = portal.flow;
    if (type === "subscription_cancel") ledger.live(subscription, "leave");
    else ledger.live(subscription, "change", ledger.prices.get(price ?? ""));
    return { location: back };
  }
  const [subscription] = liveOf(ledger, portal.customer);
  if (!subscription) throw new Refusal(400, "There is no subscription.");
  const chosen = PLANS.find(({ id }) => id === plan);
  ledger.live(subscription.id, step, chosen && ledger.priceOf(lookupKeyOf(chosen.id)));
  return { location: portal.url };
}

function liveOf(ledger: Ledger, customer: string) {
  return [...ledger.subscriptions.values()].filter((one) => one.customer === customer && one.status !== "canceled");
}

function formOf(buttons: string[]): string {
  return `<form method="post">${buttons.join("\n")}</form>`;
}

function button(choice: string, label: string): string {
  return `<button name="choice" value="${choice}">${label}</button>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}
