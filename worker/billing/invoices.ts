import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { SECOND_MS } from "#domain/units.ts";
import { INVOICE_STATUSES, type CurrentUser, type InvoiceList, type ListedInvoice } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findBilling } from "../db/billing.ts";
import { asInvalidRequest, callStripe, openStripe } from "./stripe.ts";
import { stripeCustomerOf } from "./sync.ts";

const INVOICES_PER_PAGE = 24;

/**
 * Lists a user's invoices, newest first. @param after the id of the previous page's last invoice
 * @throws AppError CUSTOMER_MISSING, NOT_FOUND if `after` is not the user's invoice, STRIPE_UNREACHABLE
 */
export async function listInvoices(services: Services, user: CurrentUser, after?: string): Promise<InvoiceList> {
  if (services.settings.billing.mode !== "stripe") return { invoices: [], hasMore: false };
  const row = await findBilling(services.db, user.id);
  const customer = row && stripeCustomerOf(row);
  if (customer === null) return { invoices: [], hasMore: false };
  const stripe = await openStripe(services.settings.billing);
  const page = await callStripe(async () => {
    try {
      return await stripe.invoices.list({
        customer,
        limit: INVOICES_PER_PAGE,
        ...(after === undefined ? {} : { starting_after: after }),
      });
    } catch (error) {
      const invalidRequest = asInvalidRequest(error);
      if (invalidRequest?.code !== "resource_missing") throw error;
      throw new AppError(invalidRequest.param === "customer" ? "CUSTOMER_MISSING" : "NOT_FOUND");
    }
  });
  return { invoices: page.data.map(describe), hasMore: page.has_more };
}

function describe(invoice: Stripe.Invoice): ListedInvoice {
  return {
    id: invoice.id,
    number: invoice.number,
    date: new Date(invoice.created * SECOND_MS).toISOString(),
    amountCents: invoice.total,
    currency: invoice.currency,
    status: INVOICE_STATUSES.find((status) => status === invoice.status) ?? "draft",
    pdfUrl: invoice.invoice_pdf ?? null,
  };
}
