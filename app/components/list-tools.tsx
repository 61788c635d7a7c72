import { useMessages } from "#app/messages/messages.ts";
import { useAddress } from "#app/use-address.ts";
import { SearchBox } from "./ui/search-box.tsx";
import { SelectBox } from "./ui/select-box.tsx";

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
  const say = useMessages("common");
  const show = useAddress();
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
          label={say("order")}
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
