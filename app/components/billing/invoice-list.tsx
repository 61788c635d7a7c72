import { FileText } from "lucide-react";
import type { ListedInvoice } from "#domain/wire.ts";
import { DayOf } from "../day-of.tsx";
import { buttonClass } from "../ui/button.tsx";

const STATUS_WORDS: Record<ListedInvoice["status"], string> = {
  draft: "Being prepared",
  open: "Unpaid",
  paid: "Paid",
  uncollectible: "Not paid",
  void: "Void",
};

export function InvoiceList({ invoices }: { invoices: ListedInvoice[] }) {
  return (
    <table className="w-full text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Amount</th>
          <th scope="col">Status</th>
          <th scope="col">PDF</th>
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

function InvoiceRow({ invoice: { date, number, amountCents, currency, status, pdfUrl } }: { invoice: ListedInvoice }) {
  return (
    <tr className="grid grid-cols-[1fr_auto] items-center gap-x-4 px-3 py-4 sm:grid-cols-[1fr_6rem_8rem_5.5rem]">
      <td>
        <span className="block font-medium">
          <DayOf moment={date} />
        </span>
        {number !== null && <span className="block text-sm text-muted">{number}</span>}
      </td>
      <td className="text-right font-medium tabular-nums">{formatAmount(amountCents, currency)}</td>
      <td className={`text-sm sm:text-right ${status === "open" ? "text-danger" : "text-muted"}`}>
        {STATUS_WORDS[status]}
      </td>
      <td className="text-right">
        {pdfUrl !== null && (
          <a
            href={pdfUrl}
            target="_blank"
            rel="noreferrer"
            aria-label={`PDF of invoice ${number ?? ""}`}
            className={`${buttonClass("bare")} px-3!`}
          >
            <FileText size={18} aria-hidden />
            PDF
          </a>
        )}
      </td>
    </tr>
  );
}

/** @param amountCents in the currency's smallest unit, which not every currency has a hundred of */
function formatAmount(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  return format.format(amountCents / 10 ** digits);
}
