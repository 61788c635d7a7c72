import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { SearchBox } from "./search-box.tsx";
import { SelectBox } from "./select-box.tsx";

interface ListToolsProps {
  /** The search, for assistive technology. */
  label: string;
  placeholder: string;
  /** What the address asks for. */
  query: { q?: string | undefined; sort?: string | undefined };
  /** Value and words; the first is what an address without one means. */
  orders: readonly (readonly [string, string])[];
  /** Whether what was searched for has an order of its own. */
  searchIsOrdered?: boolean;
}

/** How a list is looked through: a search and an order, both in the address. */
export function ListTools({ label, placeholder, query, orders, searchIsOrdered = false }: ListToolsProps) {
  const t = useMessages("common");
  const show = useSearchChange();
  const usual = orders[0]?.[0] ?? "";
  return (
    <>
      <SearchBox
        label={label}
        placeholder={placeholder}
        search={query.q ?? ""}
        onSearch={(q) => {
          show({ q });
        }}
      />
      {!(searchIsOrdered && query.q !== undefined) && (
        <SelectBox
          label={t("order")}
          value={query.sort ?? usual}
          options={orders}
          onChoose={(sort) => {
            show({ sort: sort === usual ? null : sort });
          }}
        />
      )}
    </>
  );
}
