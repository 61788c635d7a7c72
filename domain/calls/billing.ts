import * as wire from "../wire.ts";
import { anybody, json, member } from "./call.ts";

export const BILLING_CALLS = {
  "GET /api/subscription/plans": anybody("reads what is public", { answer: json<wire.ListedPlan[]>() }),
  // Only a call with `refresh` is rate limited.
  "GET /api/subscription/current-plan": member("fetchFromStripe", {
    handler: "limits",
    query: wire.currentPlanQuery,
    answer: json<wire.CurrentPlan>(),
  }),
  "GET /api/subscription/invoices": member("fetchFromStripe", {
    query: wire.invoicesQuery,
    answer: json<wire.InvoiceList>(),
  }),
  "POST /api/subscription/checkout": member("checkout", {
    body: wire.checkoutRequest,
    answer: json<wire.CheckoutAnswer>(),
  }),
  // The body may be missing.
  "POST /api/subscription/portal": member("portal", {
    handler: "reads",
    body: wire.portalRequest,
    answer: json<wire.PortalAnswer>(),
  }),
  "POST /api/subscription/convert-to-stripe": member("checkout", { answer: json<wire.ConvertAnswer>() }),
  "POST /api/subscription/manual-update": member("manualUpdate", {
    body: wire.manualUpdateRequest,
    answer: json<wire.ManualUpdateAnswer>(),
  }),
};
