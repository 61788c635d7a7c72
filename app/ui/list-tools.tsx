import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { FILE_ORDERS, type FileOrder, type PageCursors } from "#domain/wire.ts";
import { Button } from "./button.tsx";
import { SearchBox } from "./search-box.tsx";
import { SelectBox } from "./select-box.tsx";

interface ListToolsProps {
  label: string;
  placeholder: string;
  query: { q?: string | undefined; sort?: string | undefined };
  /** Pairs of value and label. The first is the default order. */
  sortOptions: readonly (readonly [string, string])[];
  /** Hides the choice of order while a search is active, because its results have a fixed order. */
  searchIsOrdered?: boolean;
}

/** Search and order controls that write to the URL's query parameters. */
export function ListTools({ label, placeholder, query, sortOptions, searchIsOrdered = false }: ListToolsProps) {
  const t = useMessages("common");
  const show = useSearchChange();
  const defaultOrder = sortOptions[0]?.[0] ?? "";
  return (
    <>
      <SearchBox label={label} placeholder={placeholder} search={query.q ?? ""} onSearch={(q) => show({ q })} />
      {!(searchIsOrdered && query.q !== undefined) && (
        <SelectBox
          label={t("order")}
          value={query.sort ?? defaultOrder}
          options={sortOptions}
          onChoose={(sort) => show({ sort: sort === defaultOrder ? null : sort })}
        />
      )}
    </>
  );
}

interface PagingProps {
  /** Where the list is: the page's number, from 1, and the cursors of the pages beside it. */
  at: { page: number; pages: number } & PageCursors;
}

/** Buttons for the pages of a list, which write to the URL's query parameters. */
export function Paging({ at: { page, pages, previous, next } }: PagingProps) {
  const t = useMessages("common");
  const show = useSearchChange();
  const open = (cursor: string | null) => {
    show({ cursor });
    scrollTo({ top: 0 });
  };
  return (
    <nav aria-label={t("pages")} className="mt-4 flex items-center justify-center gap-4">
      <Button icon={ChevronLeft} look="quiet" disabled={page <= 1} onClick={() => open(page === 2 ? null : previous)}>
        {t("previousPage")}
      </Button>
      <span className="text-sm text-muted tabular-nums">{t("pageOf", { page, pages })}</span>
      <Button look="quiet" disabled={next === null} onClick={() => open(next)}>
        {t("nextPage")}
        <ChevronRight size={18} aria-hidden />
      </Button>
    </nav>
  );
}

/** Pairs of order and label. The loader must load the messages of `fileOrders`. */
export function useFileSortOptions(): (readonly [FileOrder, string])[] {
  const t = useMessages("fileOrders");
  return FILE_ORDERS.map((order) => [order, t(order)]);
}
