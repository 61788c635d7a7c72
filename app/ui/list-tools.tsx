import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { SearchBox } from "./search-box.tsx";
import { SelectBox } from "./select-box.tsx";

interface ListToolsProps {
  label: string;
  placeholder: string;
  query: { q?: string | undefined; sort?: string | undefined };
  /** Value and label. The first is the default order. */
  sortOptions: readonly (readonly [string, string])[];
  /** Hides the order while a search is active, for searches with a fixed order. */
  searchIsOrdered?: boolean;
}

/** Search and order controls that write to the URL's query parameters. */
export function ListTools({ label, placeholder, query, sortOptions, searchIsOrdered = false }: ListToolsProps) {
  const t = useMessages("common");
  const show = useSearchChange();
  const defaultOrder = sortOptions[0]?.[0] ?? "";
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
          value={query.sort ?? defaultOrder}
          options={sortOptions}
          onChoose={(sort) => {
            show({ sort: sort === defaultOrder ? null : sort });
          }}
        />
      )}
    </>
  );
}
