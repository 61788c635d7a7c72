import * as z from "zod/mini";
import type { Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { PLAN_IDS, type PlanId } from "../plans.ts";

/** `manual`: choosing a plan activates it without payment. `off`: paid plans cannot be chosen (decision 014). */
export type BillingMode = "stripe" | "manual" | "off";

/** Prefix of customer ids that do not exist in Stripe (decision 014). */
export const MANUAL_CUSTOMER_PREFIX = "manual_";

/** Whether the customer does not exist in Stripe, and so has no billing portal. */
export function isManualCustomer(stripeCustomerId: string | null): boolean {
  return stripeCustomerId?.startsWith(MANUAL_CUSTOMER_PREFIX) ?? false;
}

const planType = z.enum(PLAN_IDS);
const address = z.string().check(z.maxLength(2048));
/** Accepted for compatibility and ignored. */
const ignoredText = z.optional(z.nullable(z.string().check(z.maxLength(2048))));

/** `?refresh=true` fetches the subscription from Stripe first. */
export const currentPlanQuery = z.object({ refresh: z.optional(z.enum(["true", "false"])) });

export const checkoutRequest = z.object({
  planType,
  /** A page of this origin. The server adds the query parameter `session_id` to the URL. */
  successUrl: z.optional(address),
  cancelUrl: z.optional(address),
  mode: ignoredText,
});

export interface CheckoutAnswer {
  /** Stripe's page, or `successUrl` when the plan was activated without payment. */
  url: string;
  /** Absent when there is no checkout session. */
  sessionId?: string;
  /** Stripe's publishable key, if configured. */
  publicKey?: string;
  message?: string;
}

export const portalRequest = z.object({ returnUrl: z.optional(address) });

export interface PortalAnswer {
  /** Null for a manual customer. */
  url: string | null;
  /** True when `url` is our pricing page because there is no subscription yet. */
  isFallback: boolean;
  /** A message for the person; null without a message. */
  message: string | null;
  manualCustomer: boolean;
}

/** The answer of a conversion. An error answer is `{error, message, code}`. */
export interface ConvertAnswer {
  url: string;
}

export const manualUpdateRequest = z.object({
  planType,
  sessionId: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  /** In manual mode, for the free plan: keeps the paid plan until the billing month ends. */
  atPeriodEnd: z._default(z.boolean(), false),
  isProduction: z.optional(z.nullable(z.union([z.boolean(), z.string().check(z.maxLength(16))]))),
  redirectStatus: ignoredText,
  checkoutParam: z.optional(z.nullable(z.union([z.boolean(), z.string().check(z.maxLength(2048))]))),
  referrer: ignoredText,
});

export interface ManualUpdateAnswer {
  message: string;
  planType: PlanId;
}

/** A plan's limits. Sizes in bytes. */
export interface ListedLimits {
  /** Uploaded bytes in a billing month. */
  storage: number;
  /** Finished uploads in a billing month. */
  transfers: number;
  /** Files and empty folders in one transfer. */
  entries: number;
  maxExpiry: Expiration;
  fileSize: number;
  /** Bytes stored at the same time; null for no limit. */
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
  /** The usage of the current billing month. Percentages are integers from 0 to 100. */
  usage: {
    transferCount: number;
    transferPercentage: number;
    storageUsed: number;
    storagePercentage: number;
  };
  subscription: {
    /** Stripe's status; "active" without a subscription. */
    status: string;
    cancelAtPeriodEnd: boolean;
    /** The billing month, ISO 8601. */
    currentPeriodStart: string;
    currentPeriodEnd: string;
  };
  /** False if the account never had a paid plan. If false, only the billing month in `subscription` is meaningful. */
  hasSubscription: boolean;
  /** Null before the first checkout. */
  stripeCustomerId: string | null;
}

/** `?after=<invoice id>` returns older invoices. */
export const invoicesQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^in_\w{1,250}$/, messageName("notInvoiceId")))),
});

export const INVOICE_STATUSES = ["draft", "open", "paid", "uncollectible", "void"] as const;

export interface ListedInvoice {
  id: string;
  /** Null while the invoice is a draft. */
  number: string | null;
  /** ISO 8601. */
  date: string;
  /** In the currency's smallest unit. */
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  status: (typeof INVOICE_STATUSES)[number];
  /** Null until Stripe has created the PDF. */
  pdfUrl: string | null;
}

/** Invoices, newest first. */
export interface InvoiceList {
  invoices: ListedInvoice[];
  hasMore: boolean;
}

/** Stripe's subscription statuses in which the plan is active (decision 014). */
export const LIVE_STATUSES: readonly string[] = ["active", "trialing", "past_due"];
