import { useMessages } from "#app/lib/i18n/messages.ts";
import { useIsLoading } from "#app/lib/search-params.ts";
import { formatBytes } from "#domain/units.ts";
import type { ReconciliationReport } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Badge } from "#app/ui/badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { DateTime } from "./date-time.tsx";

const columns = (
  t: Translate<"adminRecords">,
  tAdmin: Translate<"admin">,
): Column<ReconciliationReport["findings"][number]>[] => [
  { label: t("found"), cell: ({ foundAt }) => <DateTime at={foundAt} withTime /> },
  {
    label: t("what"),
    cell: ({ kind }) => (kind === "lost" ? <Badge tone="bad">{t("lost")}</Badge> : <Badge>{t("orphan")}</Badge>),
  },
  { label: t("object"), cell: ({ s3Key }) => <code className="text-xs wrap-anywhere">{s3Key}</code> },
  { label: tAdmin("size"), numeric: true, cell: ({ size }) => formatBytes(size, t.locale) },
];

export function ReconciliationPanel({ reconciliation: { last, findings } }: { reconciliation: ReconciliationReport }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title={t("reconciliation")}
      count={last ? summary(last, t) : undefined}
      empty={emptyMessage(last, findings.length, t)}
    >
      <DataTable
        label={t("reconciliationTable")}
        columns={columns(t, tAdmin)}
        rows={findings}
        keyOf={({ s3Key }) => s3Key}
        busy={isLoading}
      />
    </ListPanel>
  );
}

type LastReconciliation = NonNullable<ReconciliationReport["last"]>;

function summary({ finishedAt, objects, rows }: LastReconciliation, t: Translate<"adminRecords">): string {
  return t(finishedAt === null ? "lookedSoFar" : "looked", { objects, rows });
}

function emptyMessage(last: LastReconciliation | null, findings: number, t: Translate<"adminRecords">): string | null {
  if (findings > 0) return null;
  return t(last ? "nothingAmiss" : "noReconciliation");
}
