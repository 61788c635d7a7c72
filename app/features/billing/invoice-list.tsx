import clsx from "clsx";
import { FileText } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Locale } from "#domain/locale.ts";
import type { ListedInvoice } from "#domain/wire.ts";
import { Day } from "#app/ui/day.tsx";
import { buttonClass } from "#app/ui/button.tsx";

export function InvoiceList({ invoices }: { invoices: ListedInvoice[] }) {
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
