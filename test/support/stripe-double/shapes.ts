import type { Shape } from "./request.ts";

const must = (is: RegExp): { required: true; is: RegExp } => ({ required: true, is });
const may = (is: RegExp): { is: RegExp } => ({ is });

const ANY = /^[^]*$/;
const TEXT = /^[^]+$/;
const BOOL = /^(true|false)$/;
const LIMIT = /^([1-9]\d?|100)$/;
const ADDRESS = /^https?:\/\/[^\s]+$/;
const CUSTOMER = /^cus_\w+$/;
const PRICE = /^price_\w+$/;
const SUBSCRIPTION = /^sub_\w+$/;
const PRODUCT = /^\w+$/;
const METADATA: Shape = { "metadata[*]": may(TEXT) };

const FEATURES: Shape = {
  "features[customer_update][enabled]": may(BOOL),
  "features[customer_update][allowed_updates][#]": may(/^(address|email|name|phone|shipping|tax_id)$/),
  "features[invoice_history][enabled]": may(BOOL),
  "features[payment_method_update][enabled]": may(BOOL),
  "features[subscription_cancel][enabled]": may(BOOL),
  "features[subscription_cancel][mode]": may(/^(at_period_end|immediately)$/),
  "features[subscription_update][enabled]": may(BOOL),
  "features[subscription_update][default_allowed_updates][#]": may(/^(price|promotion_code|quantity)$/),
  "features[subscription_update][proration_behavior]": may(/^(always_invoice|create_prorations|none)$/),
  "features[subscription_update][products][#][product]": may(PRODUCT),
  "features[subscription_update][products][#][prices][#]": may(PRICE),
};

const CONFIGURATION: Shape = {
  ...METADATA,
  ...FEATURES,
  default_return_url: may(ADDRESS),
  "business_profile[headline]": may(TEXT),
};

const ENDPOINT: Shape = {
  ...METADATA,
  url: may(ADDRESS),
  "enabled_events[#]": may(/^[a-z_.]+$/),
  description: may(TEXT),
};

/** The parameters of every call that the double knows. */
export const SHAPES: Record<string, Shape> = {
  "POST /v1/customers": { ...METADATA, email: may(/^[^@\s]+@[^@\s]+$/) },
  "DELETE /v1/customers/:id": {},
  "DELETE /v1/subscriptions/:id": {},
  "GET /v1/products/:id": {},
  "POST /v1/products": { ...METADATA, id: may(PRODUCT), name: must(TEXT), description: may(TEXT) },
  "POST /v1/products/:id": { ...METADATA, name: may(TEXT), description: may(TEXT), active: may(BOOL) },
  "GET /v1/prices": { "lookup_keys[#]": may(TEXT), active: may(BOOL), limit: may(LIMIT) },
  "POST /v1/prices": {
    ...METADATA,
    product: must(PRODUCT),
    currency: must(/^[a-z]{3}$/),
    unit_amount: must(/^\d+$/),
    "recurring[interval]": must(/^(day|week|month|year)$/),
    lookup_key: may(TEXT),
    transfer_lookup_key: may(BOOL),
    nickname: may(TEXT),
  },
  "POST /v1/prices/:id": { ...METADATA, active: may(BOOL), nickname: may(TEXT) },
  "GET /v1/subscriptions": {
    customer: may(CUSTOMER),
    status: may(/^(all|active|past_due|unpaid|canceled|incomplete|incomplete_expired|trialing|paused|ended)$/),
    limit: may(LIMIT),
  },
  "GET /v1/invoices": { customer: may(CUSTOMER), limit: may(LIMIT), starting_after: may(/^in_\w+$/) },
  "GET /v1/checkout/sessions": { customer: may(CUSTOMER), status: may(/^(complete|expired|open)$/), limit: may(LIMIT) },
  "GET /v1/checkout/sessions/:id": {},
  "POST /v1/checkout/sessions/:id/expire": {},
  "POST /v1/checkout/sessions": {
    ...METADATA,
    mode: must(/^subscription$/),
    customer: must(CUSTOMER),
    client_reference_id: may(/^[\w-]{1,200}$/),
    "line_items[#][price]": must(PRICE),
    "line_items[#][quantity]": must(/^1$/),
    "subscription_data[metadata][*]": may(TEXT),
    success_url: must(ADDRESS),
    cancel_url: may(ADDRESS),
  },
  "GET /v1/billing_portal/configurations": { active: may(BOOL), limit: may(LIMIT) },
  "POST /v1/billing_portal/configurations": CONFIGURATION,
  "POST /v1/billing_portal/configurations/:id": { ...CONFIGURATION, active: may(BOOL) },
  "POST /v1/billing_portal/sessions": {
    customer: must(CUSTOMER),
    return_url: may(ADDRESS),
    configuration: may(/^bpc_\w+$/),
    "flow_data[type]": may(/^(subscription_cancel|subscription_update_confirm)$/),
    "flow_data[after_completion][type]": may(/^redirect$/),
    "flow_data[after_completion][redirect][return_url]": may(ADDRESS),
    "flow_data[subscription_cancel][subscription]": may(SUBSCRIPTION),
    "flow_data[subscription_update_confirm][subscription]": may(SUBSCRIPTION),
    "flow_data[subscription_update_confirm][items][#][id]": may(/^si_\w+$/),
    "flow_data[subscription_update_confirm][items][#][price]": may(PRICE),
    "flow_data[subscription_update_confirm][items][#][quantity]": may(/^1$/),
  },
  "GET /v1/webhook_endpoints": { limit: may(LIMIT) },
  "POST /v1/webhook_endpoints": {
    ...ENDPOINT,
    url: must(ADDRESS),
    "enabled_events[#]": must(/^[a-z_.]+$/),
    api_version: may(ANY),
  },
  "POST /v1/webhook_endpoints/:id": { ...ENDPOINT, disabled: may(BOOL) },
};
