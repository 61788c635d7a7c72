import { listOf, metadataOf, missing, Refusal, type ApiRequest } from "./request.ts";
import {
  newId,
  seconds,
  shownCheckout,
  without,
  type Checkout,
  type Ledger,
  type Plain,
  type PortalSession,
  type Price,
} from "./ledger.ts";

type Handler = (ledger: Ledger, request: ApiRequest, id: string, origin: string) => object;

/** The handler of each call in SHAPES. */
export const HANDLERS: Record<string, Handler> = {
  "POST /v1/customers": (ledger, { params }) => {
    const customer = {
      id: newId("cus"),
      object: "customer" as const,
      email: params.get("email") ?? null,
      metadata: metadataOf(params),
    };
    ledger.customers.set(customer.id, customer);
    return customer;
  },
  "DELETE /v1/customers/:id": (ledger, _, id) => {
    ledger.deleteCustomer(id);
    return { id, object: "customer", deleted: true };
  },
  "GET /v1/products/:id": (ledger, _, id) => found(ledger.products, "product", id),
  "POST /v1/products": ({ products }, { params }) => {
    const id = params.get("id") ?? newId("prod");
    if (products.has(id)) throw new Refusal(400, "Product already exists.", { code: "resource_already_exists" });
    return keep(products, { id, object: "product", active: true, ...plain(params), metadata: metadataOf(params) });
  },
  "POST /v1/products/:id": (ledger, { params }, id) => update(found(ledger.products, "product", id), params),
  "GET /v1/prices": (ledger, { params }) => {
    const keys = listOf(params, "lookup_keys");
    const prices = [...ledger.prices.values()].filter(
      ({ lookup_key, active }) =>
        (keys.length === 0 || (lookup_key !== null && keys.includes(lookup_key))) &&
        (!params.has("active") || String(active) === params.get("active")),
    );
    return page(prices, params, "/v1/prices");
  },
  "POST /v1/prices": (ledger, { params }) => createPrice(ledger, params),
  "POST /v1/prices/:id": (ledger, { params }, id) => {
    const price = found(ledger.prices, "price", id);
    Object.assign(price.metadata, metadataOf(params));
    if (params.has("active")) price.active = params.get("active") === "true";
    return price;
  },
  "GET /v1/subscriptions": (ledger, { params }) => {
    const customer = params.get("customer");
    if (customer !== undefined) ledger.customer(customer);
    const status = params.get("status");
    const subscriptions = [...ledger.subscriptions.values()].filter(
      (subscription) =>
        subscription.customer === customer &&
        (status === "all" ||
          (status === undefined ? subscription.status !== "canceled" : subscription.status === status)),
    );
    return page(subscriptions.reverse(), params, "/v1/subscriptions");
  },
  "DELETE /v1/subscriptions/:id": (ledger, _, id) => {
    const subscription = ledger.subscription(id);
    // Stripe answers "no such subscription" for a cancelled one.
    if (subscription.status === "canceled") throw missing("subscription", id);
    ledger.live(id, "delete");
    return subscription;
  },
  "GET /v1/invoices": (ledger, { params }) => {
    const customer = params.get("customer");
    if (customer !== undefined) ledger.customer(customer);
    const invoices = [...ledger.invoices.values()].filter((invoice) => invoice.customer === customer).reverse();
    const after = params.get("starting_after");
    if (after === undefined) return page(invoices, params, "/v1/invoices");
    const index = invoices.findIndex(({ id }) => id === after);
    if (index < 0) throw missing("invoice", after, "starting_after", 400);
    return page(invoices.slice(index + 1), params, "/v1/invoices");
  },
  "GET /v1/checkout/sessions": (ledger, { params }) => {
    const customer = params.get("customer");
    if (customer !== undefined) ledger.customer(customer);
    const status = params.get("status");
    const checkouts = [...ledger.checkouts.values()].filter(
      (checkout) => checkout.customer === customer && (status === undefined || checkout.status === status),
    );
    return page(checkouts.reverse().map(shownCheckout), params, "/v1/checkout/sessions");
  },
  "GET /v1/checkout/sessions/:id": (ledger, _, id) => shownCheckout(found(ledger.checkouts, "checkout.session", id)),
  "POST /v1/checkout/sessions/:id/expire": (ledger, _, id) => {
    const checkout = found(ledger.checkouts, "checkout.session", id);
    if (checkout.status !== "open")
      throw new Refusal(400, `Only Checkout Sessions with a status of open can be expired.`);
    Object.assign(checkout, { status: "expired", url: null });
    return shownCheckout(checkout);
  },
  "POST /v1/checkout/sessions": (ledger, { params }, _id, origin) => createCheckout(ledger, params, origin),
  "GET /v1/billing_portal/configurations": (ledger, { params }) => {
    const active = params.get("active");
    const all = [...ledger.configurations.values()].filter(
      (one) => active === undefined || String(one.active) === active,
    );
    return page(all, params, "/v1/billing_portal/configurations");
  },
  "POST /v1/billing_portal/configurations": ({ configurations }, { params }) => {
    const id = newId("bpc");
    const object = "billing_portal.configuration";
    return keep(configurations, {
      id,
      object,
      active: true,
      is_default: false,
      ...plain(params),
      metadata: metadataOf(params),
    });
  },
  "POST /v1/billing_portal/configurations/:id": (ledger, { params }, id) =>
    update(found(ledger.configurations, "configuration", id), params),
  "POST /v1/billing_portal/sessions": (ledger, { params }, _id, origin) => createPortal(ledger, params, origin),
  "GET /v1/webhook_endpoints": (ledger, { params }) => {
    const shown = [...ledger.endpoints.values()].map((endpoint) => without(endpoint, "secret"));
    return page(shown, params, "/v1/webhook_endpoints");
  },
  "POST /v1/webhook_endpoints": ({ endpoints, webhookSecret: secret }, { params }) => {
    const more = { enabled_events: listOf(params, "enabled_events"), metadata: metadataOf(params), secret };
    return keep(endpoints, {
      id: newId("we"),
      object: "webhook_endpoint",
      status: "enabled",
      ...plain(params),
      ...more,
    });
  },
  "POST /v1/webhook_endpoints/:id": (ledger, { params }, id) => {
    const endpoint = update(found(ledger.endpoints, "webhook endpoint", id), params);
    const events = listOf(params, "enabled_events");
    if (events.length > 0) endpoint.enabled_events = events;
    return without(endpoint, "secret");
  },
};

function createPrice({ prices, products }: Ledger, params: Map<string, string>): Price {
  const product = params.get("product") ?? "";
  found(products, "product", product);
  const lookupKey = params.get("lookup_key") ?? null;
  const holder = [...prices.values()].find(({ lookup_key }) => lookup_key !== null && lookup_key === lookupKey);
  if (holder && params.get("transfer_lookup_key") !== "true") {
    throw new Refusal(400, "A price already uses that lookup key.", { param: "lookup_key" });
  }
  if (holder) holder.lookup_key = null;
  const price: Price = {
    id: newId("price"),
    object: "price",
    product,
    active: true,
    type: "recurring",
    lookup_key: lookupKey,
    currency: params.get("currency") ?? "",
    unit_amount: Number(params.get("unit_amount")),
    recurring: { interval: params.get("recurring[interval]") ?? "", interval_count: 1 },
    metadata: metadataOf(params),
  };
  prices.set(price.id, price);
  return price;
}

function createCheckout(ledger: Ledger, params: Map<string, string>, origin: string): object {
  const { id: customer } = ledger.customer(params.get("customer") ?? "");
  const price = params.get("line_items[0][price]") ?? "";
  if (!ledger.prices.get(price)?.active) throw missing("price", price, "line_items[0][price]", 400);
  const id = newId("cs_test");
  const checkout: Checkout = {
    id,
    object: "checkout.session",
    mode: "subscription",
    customer,
    status: "open",
    payment_status: "unpaid",
    client_reference_id: params.get("client_reference_id") ?? null,
    subscription: null,
    metadata: metadataOf(params),
    success_url: params.get("success_url") ?? "",
    cancel_url: params.get("cancel_url") ?? null,
    url: `${origin}/pay/${id}`,
    created: seconds(),
    bought: { price, metadata: metadataOf(params, "subscription_data[metadata]") },
  };
  ledger.checkouts.set(id, checkout);
  return shownCheckout(checkout);
}

function createPortal(ledger: Ledger, params: Map<string, string>, origin: string): object {
  const { id: customer } = ledger.customer(params.get("customer") ?? "");
  const configuration = params.get("configuration");
  if (configuration === undefined || ledger.withoutPortal.has(customer)) {
    throw new Refusal(
      400,
      "No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
    );
  }
  found(ledger.configurations, "configuration", configuration);
  const id = newId("bps");
  const portal: PortalSession = {
    id,
    object: "billing_portal.session",
    customer,
    url: `${origin}/portal/${id}`,
    return_url: params.get("return_url") ?? null,
    flow: flowOf(ledger, params, customer),
  };
  ledger.portals.set(id, portal);
  return without(portal, "flow");
}

function flowOf(ledger: Ledger, params: Map<string, string>, customer: string): PortalSession["flow"] {
  const type = params.get("flow_data[type]");
  if (type === undefined) return null;
  const under = `flow_data[${type}]`;
  const subscription = ledger.subscription(params.get(`${under}[subscription]`) ?? "");
  if (subscription.customer !== customer) throw missing("subscription", subscription.id);
  const price = params.get(`${under}[items][0][price]`) ?? null;
  const item = params.get(`${under}[items][0][id]`);
  if (type === "subscription_update_confirm" && item !== subscription.items.data[0].id)
    throw missing("subscription_item", item ?? "");
  if (price === subscription.items.data[0].price.id) throw new Refusal(400, "There is nothing to change.");
  const back = params.get("flow_data[after_completion][redirect][return_url]") ?? "";
  return { type, subscription: subscription.id, price, back };
}

function found<Kept>(kept: Map<string, Kept>, kind: string, id: string): Kept {
  const one = kept.get(id);
  if (!one) throw missing(kind, id);
  return one;
}

function keep(kept: Map<string, Plain>, one: Plain): Plain {
  kept.set(one.id, one);
  return one;
}

function update(one: Plain, params: Map<string, string>): Plain {
  Object.assign(one, plain(params));
  Object.assign(one.metadata, metadataOf(params));
  return one;
}

/** Parameters by their whole names, without metadata and the list of events. "true" and "false" become booleans. */
function plain(params: Map<string, string>): Record<string, unknown> {
  const values = [...params].filter(([name]) => !name.startsWith("metadata[") && !name.startsWith("enabled_events["));
  return Object.fromEntries(
    values.map(([name, value]) => [name, value === "true" ? true : value === "false" ? false : value]),
  );
}

function page(data: object[], params: Map<string, string>, url: string): object {
  const limit = Number(params.get("limit") ?? 10);
  return { object: "list", url, has_more: data.length > limit, data: data.slice(0, limit) };
}
