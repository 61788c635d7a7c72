import * as z from "zod/mini";
import type { Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { PLAN_IDS, type PlanId } from "../plans.ts";

/** How plans are paid for here: by Stripe, by nobody (choosing a plan sets it), or not at all yet (decisions, Billing). */
export type BillingMode = "stripe" | "manual" | "off";

/** Starts the id of a customer that no payment provider knows (decisions, Billing). */
export const MANUAL_CUSTOMER_PREFIX = "manual_";

/** Whether that customer was made by hand, and so has no billing portal. */
export function isManualCustomer(stripeCustomerId: string | null): boolean {
  return stripeCustomerId?.startsWith(MANUAL_CUSTOMER_PREFIX) ?? false;
}

const planType = z.enum(PLAN_IDS);
const address = z.string().check(z.maxLength(2048));
/** What a client reports about its own doings; nothing is decided by it. */
const hearsay = z.optional(z.nullable(z.string().check(z.maxLength(2048))));

/** `?refresh=true` asks Stripe first. */
export const currentPlanQuery = z.object({ refresh: z.optional(z.enum(["true", "false"])) });

export const checkoutRequest = z.object({
  planType,
  /** Where to come back to; on this origin only. The session's id is added to the first as `session_id`. */
  successUrl: z.optional(address),
  cancelUrl: z.optional(address),
  /** Every plan is a subscription, so there is nothing to choose. */
  mode: hearsay,
});

/** Opens a page of the payment provider, or comes straight back where the plan was set at once. */
export interface CheckoutAnswer {
  url: string;
  /** The checkout's id; absent when the plan was set at once, or is changed in the billing portal. */
  sessionId?: string;
  /** Stripe's publishable key, where it is set. */
  publicKey?: string;
  message?: string;
}

export const portalRequest = z.object({ returnUrl: z.optional(address) });

export interface PortalAnswer {
  /** Null for a manual customer, who has no portal. */
  url: string | null;
  /** True when `url` is a page of ours, because there is nothing to manage yet. */
  isFallback: boolean;
  /** What to tell the person, where something has to be told. */
  message: string | null;
  manualCustomer: boolean;
}

/** A refusal is `{error, message, code}`. */
export interface ConvertAnswer {
  url: string;
}

export const manualUpdateRequest = z.object({
  planType,
  sessionId: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  /** In manual mode, for the free plan: go on with the paid one until the billing month ends. */
  atPeriodEnd: z._default(z.boolean(), false),
  isProduction: z.optional(z.nullable(z.union([z.boolean(), z.string().check(z.maxLength(16))]))),
  redirectStatus: hearsay,
  checkoutParam: z.optional(z.nullable(z.union([z.boolean(), z.string().check(z.maxLength(2048))]))),
  referrer: hearsay,
});

/** What a person is told, and the plan that they are on now. */
export interface ManualUpdateAnswer {
  message: string;
  planType: PlanId;
}

/** What a plan allows, for a card. Sizes are bytes. */
export interface ListedLimits {
  /** Uploaded in a billing month. */
  storage: number;
  /** Finished uploads in a billing month. */
  transfers: number;
  maxExpiry: Expiration;
  /** One file at most. */
  fileSize: number;
  /** Stored at one time; null is unlimited. */
  stored: number | null;
}

export interface ListedPlan {
  id: PlanId;
  name: string;
  description: string;
  /** US dollars a month. */
  price: number;
  limits: ListedLimits;
  features: string[];
}

export interface CurrentPlan {
  planType: PlanId;
  planName: string;
  limits: ListedLimits;
  /** What this billing month has taken. Percentages are whole, 0 to 100. */
  usage: {
    transferCount: number;
    transferPercentage: number;
    storageUsed: number;
    storagePercentage: number;
  };
  subscription: {
    /** As Stripe names it; "active" for who has none, since the free plan works. */
    status: string;
    cancelAtPeriodEnd: boolean;
    /** The billing month, ISO 8601. */
    currentPeriodStart: string;
    currentPeriodEnd: string;
  };
  /** False for the free plan that nobody ever paid for or left: `subscription` then holds the billing month alone. */
  hasSubscription: boolean;
  /** Null before the first checkout. */
  stripeCustomerId: string | null;
}

/** `?after=<invoice id>` answers the ones before it. */
export const invoicesQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^in_\w{1,250}$/, messageName("notInvoiceId")))),
});

export const INVOICE_STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export interface ListedInvoice {
  id: string;
  /** The number printed on it; null while it is a draft. */
  number: string | null;
  /** ISO 8601. */
  date: string;
  /** In the currency's smallest unit, such as cents. */
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  status: (typeof INVOICE_STATUSES)[number];
  /** Null where Stripe has made none yet. */
  pdfUrl: string | null;
}

/** Newest first. */
export interface InvoiceList {
  invoices: ListedInvoice[];
  hasMore: boolean;
}

/** Stripe's own states in which a plan is paid for, or is given time to be (decisions, Billing). */
export const LIVE_STATUSES: readonly string[] = ["active", "trialing", "past_due"];
