import type { ReactNode, InputHTMLAttributes } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading, useSearchChange } from "#app/lib/search-params.ts";
import { Card } from "#app/ui/card.tsx";
import { controlClass } from "#app/ui/form-field.tsx";
import { Paging } from "#app/ui/list-tools.tsx";
import { ADMIN_COUNTED_ROWS, type Paged } from "#domain/wire.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";

interface ListPanelProps<Row> extends Pick<DataTableProps<Row>, "columns" | "actions"> {
  title: string;
  /** The table's name for screen readers. Default: the title. */
  label?: string;
  /** The number of rows, for example "12 users". */
  count?: ReactNode;
  tools?: ReactNode;
  /** One page, or all rows. */
  list: Paged<Row> | { items: Row[] };
  /** Shown instead of a list without rows. */
  empty: ReactNode;
  /** Dialogs that the rows' buttons open. */
  children?: ReactNode;
}

/** A table with a title and, if there are several, buttons for its pages. */
export function ListPanel<Row extends { id: string | number }>(props: ListPanelProps<Row>) {
  const { title, label = title, count, tools, list, empty, children, ...table } = props;
  const { items } = list;
  const paged = "pages" in list ? list : null;
  const t = useMessages("admin");
  const isLoading = useIsLoading();
  const isPastEnd = paged !== null && paged.page > paged.pages;
  const message = isPastEnd ? t("pastEnd", { pages: paged.pages }) : empty;
  return (
    <section>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="mr-auto flex flex-wrap items-baseline gap-x-3 max-sm:w-full">
          <h2 className="min-w-0 font-display text-2xl font-semibold break-words">{title}</h2>
          {count !== undefined && <p className="text-sm text-muted tabular-nums">{count}</p>}
        </div>
        {tools}
      </div>
      <Card className="p-2! sm:p-3!">
        {items.length > 0 && !isPastEnd ? (
          <>
            <DataTable label={label} rows={items} keyOf={({ id }) => id} busy={isLoading} {...table} />
            {children}
          </>
        ) : (
          <div className="px-4 py-14 text-center text-muted">{message}</div>
        )}
      </Card>
      {paged !== null && (paged.pages > 1 || isPastEnd) && <Paging at={paged} />}
    </section>
  );
}

/** Values for a message such as "1,200 users" or "10,000+ users", because rows are counted up to ADMIN_COUNTED_ROWS. */
export function countValues(total: number): { count: number; more: string } {
  return { count: total, more: total >= ADMIN_COUNTED_ROWS ? "+" : "" };
}

interface FilterFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  value: string;
}

/** A text field that filters a list. Enter or blur applies the filter. */
export function FilterField({ label, name, value, ...input }: FilterFieldProps) {
  const show = useSearchChange();
  const apply = (input: HTMLInputElement) => {
    const newValue = input.value.trim();
    // An incomplete date does not filter.
    if (newValue !== value && input.validity.valid) show({ [name]: newValue });
  };
  return (
    <label className="flex items-center gap-2 max-sm:w-full">
      <span className={input.type === "date" ? "shrink-0 text-sm text-muted max-sm:w-20" : "sr-only"}>{label}</span>
      <input
        // A new React key resets the input when the URL changes.
        key={value}
        title={label}
        defaultValue={value}
        className={controlClass}
        onBlur={(event) => apply(event.target)}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply(event.currentTarget);
        }}
        {...input}
      />
    </label>
  );
}
