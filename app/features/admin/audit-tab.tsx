import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { SelectBox } from "#app/ui/select-box.tsx";
import { ADMIN_ACTIONS, type AdminLogEntry, type AdminLogQuery, type Paged } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { FilterField, countValues, ListPanel } from "./list-panel.tsx";

const columns = (t: Translate<"adminRecords">): Column<AdminLogEntry>[] => [
  { label: t("when"), cell: ({ at }) => <DateTime at={at} withTime /> },
  { label: t("who"), cell: ({ adminName }) => <span className="font-medium wrap-anywhere">{adminName}</span> },
  { label: t("action"), cell: ({ action }) => <code className="text-xs whitespace-nowrap">{action}</code> },
  { label: t("on"), cell: ({ target }) => <code className="text-xs wrap-anywhere text-muted">{target || "–"}</code> },
  { label: t("details"), cell: ({ details }) => details || "–" },
];

export function AuditTab({ query, list }: { query: AdminLogQuery; list: Paged<AdminLogEntry> }) {
  const t = useMessages("adminRecords");
  const show = useSearchChange();
  const isFiltered = query.action !== undefined || query.target !== undefined;
  return (
    <ListPanel
      label={t("auditTable")}
      columns={columns(t)}
      list={list}
      title={t("audit")}
      count={t("entryCount", countValues(list.total))}
      empty={t(isFiltered ? "noEntryMatches" : "noEntries")}
      tools={
        <>
          <SelectBox
            label={t("action")}
            value={query.action ?? ""}
            options={[["", t("everyAction")], ...ADMIN_ACTIONS.map((action) => [action, action] as const)]}
            onChoose={(action) => show({ action })}
          />
          <FilterField label={t("changedId")} name="target" value={query.target ?? ""} placeholder={t("changedIdBy")} />
        </>
      }
    />
  );
}
