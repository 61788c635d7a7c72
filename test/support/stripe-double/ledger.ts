import { randomBytes } from "node:crypto";
import { API_VERSION, missing, Refusal } from "./request.ts";

const DAY_SECONDS = 86_400;

export interface Customer {
  id: string;
  object: "customer";
  email: string | null;
  metadata: Record<string, string>;
  deleted?: true;
}
export interface Price {
  id: string;
  object: "price";
  product: string;
  currency: string;
  unit_amount: number;
  active: boolean;
  lookup_key: string | null;
  recurring: { interval: string; interval_count: number };
  type: "recurring";
  metadata: Record<string, string>;
}
export interface Subscription {
  id: string;
  object: "subscription";
  customer: string;
  status: string;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  canceled_at: number | null;
  ended_at: number | null;
  billing_cycle_anchor: number;
  created: number;
  metadata: Record<string, string>;
  items: { object: "list"; has_more: false; data: [SubscriptionItem] };
}
interface SubscriptionItem {
  id: string;
  object: "subscription_item";
  price: Price;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
}
export interface Invoice {
  id: string;
  object: "invoice";
  customer: string;
  number: string | null;
  created: number;
  total: number;
  currency: string;
  status: string;
  invoice_pdf: string | null;
}
export interface Checkout {
  id: string;
  object: "checkout.session";
  mode: string;
  customer: string;
  client_reference_id: string | null;
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid";
  subscription: string | null;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string | null;
  url: string | null;
  created: number;
  /** The double's own note of what is bought; the API does not return it. */
  bought: { price: string; metadata: Record<string, string> };
}
export interface PortalSession {
  id: string;
  object: "billing_portal.session";
  customer: string;
  return_url: string | null;
  url: string;
  flow: { type: string; subscription: string; price: string | null; back: string } | null;
}
export interface StripeEvent {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  type: string;
  livemode: false;
  pending_webhooks: number;
  data: { object: object };
}
/** A product, portal configuration or webhook endpoint, stored as it was sent. */
export type Plain = { id: string; object: string; metadata: Record<string, string> } & Record<string, unknown>;

/** Stripe's data, and the changes to it. Times are epoch seconds, as at Stripe. */
export class Ledger {
  readonly customers = new Map<string, Customer>();
  readonly products = new Map<string, Plain>();
  readonly prices = new Map<string, Price>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly checkouts = new Map<string, Checkout>();
  readonly portals = new Map<string, PortalSession>();
  readonly configurations = new Map<string, Plain>();
  /** Customers for whom the billing portal is not configured. */
  readonly withoutPortal = new Set<string>();
  readonly endpoints = new Map<string, Plain>();
  /** Oldest first. */
  readonly events: { customer: string; event: StripeEvent }[] = [];
  /** Signs the deliveries. All webhook endpoints have this secret. */
  readonly webhookSecret: string;
  /** Called with each event. */
  onEvent: (customer: string, event: StripeEvent) => void = () => undefined;

  constructor(webhookSecret: string) {
    this.webhookSecret = webhookSecret;
  }

  /** @throws Refusal resource_missing with status 400, as Stripe answers an unknown customer in a parameter */
  customer(id: string): Customer {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted) throw missing("customer", id, "customer", 400);
    return customer;
  }

  subscription(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw missing("subscription", id);
    return subscription;
  }

  priceOf(lookupKey: string): Price {
    const price = [...this.prices.values()].find((candidate) => candidate.lookup_key === lookupKey && candidate.active);
    if (!price) throw missing("price", lookupKey);
    return price;
  }

  /** Starts a subscription. An active one gets its first invoice. */
  subscribe(
    customer: string,
    price: Price,
    more: Partial<Pick<Subscription, "status" | "metadata">> = {},
  ): Subscription {
    this.customer(customer);
    const now = seconds();
    const { status = "active", metadata = {} } = more;
    const item: SubscriptionItem = {
      id: newId("si"),
      object: "subscription_item",
      price,
      quantity: 1,
      current_period_start: now,
      current_period_end: now + 30 * DAY_SECONDS,
    };
    const subscription: Subscription = {
      id: newId("sub"),
      object: "subscription",
      customer,
      status,
      metadata,
      created: now,
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      billing_cycle_anchor: now,
      items: { object: "list", has_more: false, data: [item] },
    };
    this.subscriptions.set(subscription.id, subscription);
    this.emit(customer, "customer.subscription.created", subscription);
    if (status === "active") this.invoice(subscription, "paid");
    return subscription;
  }

  /** Applies a step to a subscription. @param price the new price of a change of plan */
  live(id: string, step: string, price?: Price): void {
    const subscription = this.subscription(id);
    const [item] = subscription.items.data;
    const now = seconds();
    if (subscription.status === "canceled") throw new Refusal(400, `${id} has been canceled`);
    switch (step) {
      case "fail":
        subscription.status = "past_due";
        this.invoice(subscription, "open");
        break;
      case "recover":
        subscription.status = "active";
        this.invoice(subscription, "paid");
        break;
      case "unpaid":
      case "paused":
      case "trialing":
        subscription.status = step;
        break;
      case "renew":
        item.current_period_start = item.current_period_end;
        item.current_period_end += 30 * DAY_SECONDS;
        this.invoice(subscription, "paid");
        break;
      case "leave":
        subscription.cancel_at_period_end = true;
        subscription.canceled_at = now;
        break;
      case "stay":
        subscription.cancel_at_period_end = false;
        subscription.canceled_at = null;
        break;
      case "change":
        if (!price) throw new Refusal(400, "change wants a price");
        item.price = price;
        break;
      case "delete":
        Object.assign(subscription, { status: "canceled", canceled_at: now, ended_at: now });
        this.emit(subscription.customer, "customer.subscription.deleted", subscription);
        return;
      default:
        throw new Refusal(400, `no such step: ${step}`);
    }
    this.emit(subscription.customer, "customer.subscription.updated", subscription);
  }

  /** Completes a checkout. @param paid false if the bank has not paid yet */
  complete(checkout: Checkout, paid: boolean): void {
    if (checkout.status !== "open") throw new Refusal(400, "This checkout is not open any more.");
    const price = this.prices.get(checkout.bought.price);
    if (!price) throw missing("price", checkout.bought.price);
    Object.assign(checkout, { status: "complete", payment_status: paid ? "paid" : "unpaid", url: null });
    const status = paid ? "active" : "incomplete";
    checkout.subscription = this.subscribe(checkout.customer, price, { status, metadata: checkout.bought.metadata }).id;
    this.emit(checkout.customer, "checkout.session.completed", shownCheckout(checkout));
  }

  deleteCustomer(id: string): Customer {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted) throw missing("customer", id);
    customer.deleted = true;
    for (const subscription of this.subscriptions.values()) {
      if (subscription.customer === id && subscription.status !== "canceled") this.live(subscription.id, "delete");
    }
    for (const checkout of this.checkouts.values()) {
      if (checkout.customer === id && checkout.status === "open") checkout.status = "expired";
    }
    this.emit(id, "customer.deleted", customer);
    return customer;
  }

  emit(customer: string, type: string, object: object): void {
    const event: StripeEvent = {
      id: newId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: seconds(),
      type,
      livemode: false,
      pending_webhooks: 1,
      data: { object: structuredClone(object) },
    };
    this.events.push({ customer, event });
    this.onEvent(customer, event);
  }

  private invoice(subscription: Subscription, status: "paid" | "open"): void {
    const id = newId("in");
    const { customer } = subscription;
    const [{ price }] = subscription.items.data;
    const number = `D-${String(this.invoices.size + 1).padStart(4, "0")}`;
    const invoice_pdf = `https://pay.stripe.com/invoice/${id}/pdf`;
    const { unit_amount: total, currency } = price;
    const invoice: Invoice = {
      id,
      object: "invoice",
      customer,
      number,
      created: seconds(),
      total,
      currency,
      status,
      invoice_pdf,
    };
    this.invoices.set(id, invoice);
    this.emit(customer, status === "paid" ? "invoice.paid" : "invoice.payment_failed", invoice);
  }
}

/** A checkout as the API returns it. */
export function shownCheckout(checkout: Checkout): Omit<Checkout, "bought"> {
  return without(checkout, "bought");
}

/** A copy without one field. */
export function without<Whole extends object, Key extends keyof Whole>(whole: Whole, key: Key): Omit<Whole, Key> {
  const shown = { ...whole };
  Reflect.deleteProperty(shown, key);
  return shown;
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
