import { useMessages } from "#app/messages/messages.ts";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import { ADMIN_ACTIONS, type AdminLogEntry, type AdminLogQuery, type Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { FilterField } from "./filter-field.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { SelectBox } from "../ui/select-box.tsx";

const columns = (say: Translate<"officeRecords">): Column<AdminLogEntry>[] => [
  { label: say("when"), cell: ({ at }) => <Moment at={at} withTime /> },
  { label: say("who"), cell: ({ adminName }) => <span className="font-medium break-all">{adminName}</span> },
  { label: say("what"), cell: ({ action }) => <code className="text-xs whitespace-nowrap">{action}</code> },
  { label: say("on"), cell: ({ target }) => <code className="text-xs break-all text-muted">{target || "–"}</code> },
  { label: say("details"), cell: ({ details }) => details || "–" },
];

/** Who changed what, when and on what (decisions, Admin); newest first. */
export function AuditTab({ query, list }: { query: AdminLogQuery; list: Paged<AdminLogEntry> }) {
  const say = useMessages("officeRecords");
  const show = useAddress();
  const isLoading = useIsLoading();
  const isFiltered = query.action !== undefined || query.target !== undefined;
  return (
    <ListPanel
      title={say("audit")}
      count={say("entryCount", countOf(list.total))}
      paged={list}
      empty={list.items.length > 0 ? null : say(isFiltered ? "noEntryMatches" : "noEntries")}
      tools={
        <>
          <SelectBox
            label={say("action")}
            value={query.action ?? ""}
            options={[["", say("everyAction")], ...ADMIN_ACTIONS.map((action) => [action, action] as const)]}
            onChoose={(action) => {
              show({ action });
            }}
          />
          <FilterField
            label={say("changedId")}
            name="target"
            value={query.target ?? ""}
            placeholder={say("changedIdBy")}
          />
        </>
      }
    >
      <DataTable
        label={say("auditTable")}
        columns={columns(say)}
        rows={list.items}
        keyOf={({ id }) => id}
        busy={isLoading}
      />
    </ListPanel>
  );
}
