import clsx from "clsx";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";

export interface Column<Row> {
  label: string;
  cell(row: Row): ReactNode;
  /** Numbers stand below each other. */
  numeric?: boolean;
}

interface DataTableProps<Row> {
  /** What the rows are, for assistive technology. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string | number;
  /** What can be done with a row: its last cell. */
  actions?(row: Row): ReactNode;
  /** Whether these rows are about to be replaced. */
  busy: boolean;
}

const cellClass =
  "px-3 py-2.5 align-middle max-lg:flex max-lg:justify-between max-lg:gap-4 max-lg:px-0 max-lg:py-1 max-lg:text-right";
const labelClass = "max-lg:before:shrink-0 max-lg:before:text-muted max-lg:before:content-[attr(data-label)]";

/**
 * A table; on a narrow screen each row is a card with the columns' names beside its values. The roles are written out:
 * a table that is laid out as cards is none to a browser.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, actions, busy }: DataTableProps<Row>) {
  const t = useMessages("admin");
  return (
    // Focusable, so that the keyboard can scroll what is too wide.
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table role="table" aria-label={label} aria-busy={busy} className="w-full text-left text-sm max-lg:block">
        <thead role="rowgroup" className="text-muted max-lg:sr-only">
          <tr role="row" className="border-b border-line">
            {columns.map(({ label: name, numeric }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={clsx("px-3 py-2.5 font-normal whitespace-nowrap", numeric && "text-right")}
              >
                {name}
              </th>
            ))}
            {actions && (
              <th role="columnheader" scope="col" className="px-3 py-2.5 text-right font-normal">
                {t("actions")}
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" className={clsx("divide-y divide-line max-lg:block", busy && "opacity-60")}>
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" className="hover:bg-sunken/50 max-lg:block max-lg:px-3 max-lg:py-3">
              {columns.map(({ label: name, cell, numeric }) => (
                <td
                  key={name}
                  role="cell"
                  data-label={name}
                  className={clsx(cellClass, labelClass, numeric && "whitespace-nowrap tabular-nums lg:text-right")}
                >
                  {/* One box, which a card sets beside the column's name. */}
                  <div className="max-w-80 min-w-0 break-words max-lg:max-w-none">{cell(row)}</div>
                </td>
              ))}
              {actions && (
                <td role="cell" className={cellClass}>
                  <div className="flex justify-end gap-1.5 max-lg:flex-wrap max-lg:w-full max-lg:justify-start max-lg:pt-2">
                    {actions(row)}
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
