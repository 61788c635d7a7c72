import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData, useRevalidator } from "@remix-run/react";
import clsx from "clsx";
import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import { usePortal } from "#app/features/billing/use-portal.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Day } from "#app/ui/moments.tsx";
import { Page } from "#app/ui/page.tsx";
import type { Locale } from "#domain/locale.ts";
import { invoicesQuery, isManualCustomer, type CurrentPlan, type ListedInvoice } from "#domain/wire.ts";

export const meta = titleMeta();

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account/billing-history");
  const query = invoicesQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  // An invalid query shows the first page.
  const after = query.success ? query.data.after : undefined;
  const [plan, view] = await Promise.all([context.currentPlan(user), context.listInvoices(user, after)]);
  const texts = loadTexts(request, (t) => t("billingHistory"), "billing");
  return { ...texts, plan, view, isFirst: after === undefined, canConvert: context.billing === "stripe" };
};

export default function BillingHistory() {
  const t = useMessages("billing");
  const { plan, view, isFirst, canConvert } = useLoaderData<typeof loader>();
  return (
    <Page
      title={t("billingHistory")}
      lead={
        <Link to="/dashboard" className="text-reed underline-offset-4 hover:underline">
          {t("backToDashboard")}
        </Link>
      }
    >
      {isManualCustomer(plan.stripeCustomerId) && <ManualPlanCard plan={plan} canConvert={canConvert} />}
      {view.kind === "refused" ? (
        <InvoicesError message={view.message} />
      ) : view.invoices.length > 0 ? (
        <Card className="p-2! sm:p-3!">
          <InvoiceList invoices={view.invoices} />
        </Card>
      ) : (
        !isManualCustomer(plan.stripeCustomerId) && <NoInvoices />
      )}
      {view.kind === "invoices" && (
        <nav aria-label={t("pages")} className="flex justify-between gap-3">
          {!isFirst && <PageLink to=".">{t("newestInvoices")}</PageLink>}
          {view.hasMore && <PageLink to={`?after=${view.invoices.at(-1)?.id ?? ""}`}>{t("olderInvoices")}</PageLink>}
        </nav>
      )}
    </Page>
  );
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={buttonClass("quiet")}>
      {children}
    </Link>
  );
}

function NoInvoices() {
  const t = useMessages("billing");
  return (
    <Card className="text-center">
      <p className="pt-6 font-medium">{t("noInvoices")}</p>
      <p className="mt-1 text-muted">{t("noInvoicesText")}</p>
      <Link to="/pricing" className={`${buttonClass("quiet")} mt-5 mb-6`}>
        {t("seePlans")}
      </Link>
    </Card>
  );
}

function ManualPlanCard({ plan, canConvert }: { plan: CurrentPlan; canConvert: boolean }) {
  const t = useMessages("billing");
  const portal = usePortal(plan.planType);
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("setByHand", { plan: plan.planName })}</h2>
      <p className="mt-1 text-muted">
        {t("setByHandText")}
        {canConvert && ` ${t("convertText")}`}
      </p>
      {canConvert && (
        <Button className="mt-5" busy={portal.busy} onClick={portal.convert}>
          {t(portal.busy ? "opening" : "convert")}
        </Button>
      )}
    </Card>
  );
}

function InvoicesError({ message }: { message: string }) {
  const t = useMessages("billing");
  const { revalidate, state } = useRevalidator();
  return (
    <Card>
      <div role="alert">
        <p className="font-medium">{t("invoicesFailed")}</p>
        <p className="mt-1 text-muted">{message}</p>
      </div>
      <Button look="quiet" className="mt-5" busy={state === "loading"} onClick={revalidate}>
        {t("retry")}
      </Button>
    </Card>
  );
}

function InvoiceList({ invoices }: { invoices: ListedInvoice[] }) {
  const t = useMessages("billing");
  return (
    <table className="w-full text-left">
      <thead className="text-sm text-muted">
        <tr className="border-b border-line">
          <th scope="col" className={`${cellClass} font-normal`}>
            {t("date")}
          </th>
          <th scope="col" className={`${cellClass} text-right font-normal`}>
            {t("amount")}
          </th>
          <th scope="col" className={`${cellClass} font-normal`}>
            {t("status")}
          </th>
          <th scope="col">
            <span className="sr-only">PDF</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  );
}

const cellClass = "px-2 py-3 sm:px-4";

function InvoiceRow({ invoice: { date, number, amountCents, currency, status, pdfUrl } }: { invoice: ListedInvoice }) {
  const t = useMessages("billing");
  return (
    <tr>
      <td className={cellClass}>
        <span className="block font-medium whitespace-nowrap">
          <Day moment={date} dateStyle="medium" />
        </span>
        {number !== null && <span className="block text-sm text-muted">{number}</span>}
      </td>
      <td className={`${cellClass} text-right font-medium tabular-nums`}>
        {formatAmount(amountCents, currency, t.locale)}
      </td>
      <td className={clsx(cellClass, "text-sm", status === "open" ? "font-medium text-danger" : "text-muted")}>
        {t(status)}
      </td>
      <td className="text-right">
        {pdfUrl !== null && (
          <a
            href={pdfUrl}
            target="_blank"
            rel="noreferrer"
            aria-label={t("invoicePdf", { number: number ?? "" })}
            className={`${buttonClass("bare")} px-3!`}
          >
            <FileText size={18} aria-hidden />
            <span className="max-sm:sr-only">PDF</span>
          </a>
        )}
      </td>
    </tr>
  );
}

/** @param amountCents in the currency's smallest unit: cents, or yen */
function formatAmount(amountCents: number, currency: string, locale: Locale): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  return format.format(amountCents / 10 ** digits);
}
