import { useAddress, useIsLoading } from "#app/use-address.ts";
import { ADMIN_ACTIONS, type AdminLogEntry, type AdminLogQuery, type Paged } from "#domain/wire.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { FilterField } from "./filter-field.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { SelectBox } from "../ui/select-box.tsx";

const ACTIONS = [["", "Every action"], ...ADMIN_ACTIONS.map((action) => [action, action] as const)] as const;

const COLUMNS: Column<AdminLogEntry>[] = [
  { label: "When", cell: ({ at }) => <Moment at={at} withTime /> },
  { label: "Who", cell: ({ adminName }) => <span className="font-medium break-all">{adminName}</span> },
  { label: "What", cell: ({ action }) => <code className="text-xs whitespace-nowrap">{action}</code> },
  { label: "On", cell: ({ target }) => <code className="text-xs break-all text-muted">{target || "–"}</code> },
  { label: "Details", cell: ({ details }) => details || "–" },
];

/** Who changed what, when and on what (decisions, Admin); newest first. */
export function AuditTab({ query, list }: { query: AdminLogQuery; list: Paged<AdminLogEntry> }) {
  const show = useAddress();
  const isLoading = useIsLoading();
  const isFiltered = query.action !== undefined || query.target !== undefined;
  return (
    <ListPanel
      title="Audit Log"
      count={countOf(list.total, "entry", "entries")}
      paged={list}
      empty={list.items.length > 0 ? null : isFiltered ? "No entry matches these filters." : "Nothing was changed yet."}
      tools={
        <>
          <SelectBox
            label="Action"
            value={query.action ?? ""}
            options={ACTIONS}
            onChoose={(action) => {
              show({ action });
            }}
          />
          <FilterField
            label="ID of what was changed"
            name="target"
            value={query.target ?? ""}
            placeholder="On what: an ID"
          />
        </>
      }
    >
      <DataTable label="Audit log" columns={COLUMNS} rows={list.items} keyOf={({ id }) => id} busy={isLoading} />
    </ListPanel>
  );
}
