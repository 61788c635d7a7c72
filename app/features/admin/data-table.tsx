import clsx from "clsx";
import type { ReactNode, ComponentProps } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";

export interface Column<Row> {
  label: string;
  cell(row: Row): ReactNode;
  numeric?: boolean;
}

export interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string | number;
  actions?(row: Row): ReactNode;
  busy: boolean;
}

const cellClass =
  "px-3 py-2.5 align-middle max-lg:flex max-lg:justify-between max-lg:gap-4 max-lg:px-0 max-lg:py-1 max-lg:text-right";
const labelClass = "max-lg:before:shrink-0 max-lg:before:text-muted max-lg:before:content-[attr(data-label)]";

/**
 * A table whose rows are cards on narrow screens. Its elements name their roles, because browsers drop the roles of a
 * table's elements that have `display: block`.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, actions, busy }: DataTableProps<Row>) {
  const t = useMessages("admin");
  return (
    // The region is focusable so that the keyboard can scroll it.
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
                  {/* The cell's content is one flex item beside the column's name. */}
                  <div className={clsx("max-w-80 min-w-0 break-words max-lg:max-w-none", numeric && "lg:ml-auto")}>
                    {cell(row)}
                  </div>
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

/** A button in a table row, smaller than other buttons if the pointer is a mouse. */
export function RowButton({ className, look = "quiet", ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button
      look={look}
      className={clsx("px-3! py-1! text-sm whitespace-nowrap pointer-fine:min-h-9!", className)}
      {...rest}
    />
  );
}
