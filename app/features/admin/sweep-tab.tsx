import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading } from "#app/lib/search-params.ts";
import type { ReconciliationReport, SweepRun } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ReconciliationPanel } from "./reconciliation-panel.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";

const columns = (t: Translate<"adminRecords">): Column<SweepRun>[] => [
  { label: t("startedAt"), cell: ({ startedAt }) => <DateTime at={startedAt} withTime /> },
  { label: t("took"), numeric: true, cell: ({ durationMs }) => t("milliseconds", { count: durationMs }) },
  { label: t("expiredFiles"), numeric: true, cell: ({ expiredFiles }) => expiredFiles.toLocaleString(t.locale) },
  {
    label: t("abandonedUploads"),
    numeric: true,
    cell: ({ abandonedUploads }) => abandonedUploads.toLocaleString(t.locale),
  },
  { label: t("leftovers"), numeric: true, cell: ({ leftovers }) => leftovers.toLocaleString(t.locale) },
  {
    label: t("accountsRemoved"),
    numeric: true,
    cell: ({ removedAccounts }) => removedAccounts.toLocaleString(t.locale),
  },
  {
    label: t("result"),
    cell: ({ failed }) =>
      failed.length === 0 ? (
        <Badge tone="good">{t("done")}</Badge>
      ) : (
        <>
          <Badge tone="bad">{t("failed")}</Badge>
          <span className="mt-1 block text-xs wrap-anywhere text-muted">{failed.join(", ")}</span>
        </>
      ),
  },
];

export function SweepTab({ runs, reconciliation }: { runs: SweepRun[]; reconciliation: ReconciliationReport }) {
  const t = useMessages("adminRecords");
  const isLoading = useIsLoading();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <ReconciliationPanel reconciliation={reconciliation} />
      <ListPanel
        title={t("sweep")}
        count={runs.length > 0 ? t("lastRuns", { count: runs.length }) : undefined}
        empty={runs.length > 0 ? null : t("neverSwept")}
      >
        <DataTable label={t("sweepTable")} columns={columns(t)} rows={runs} keyOf={({ id }) => id} busy={isLoading} />
      </ListPanel>
    </div>
  );
}
