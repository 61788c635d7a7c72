import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ReconciliationReport, SweepRun } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { ListPanel } from "./list-panel.tsx";

const runColumns = (t: Translate<"adminRecords">): Column<SweepRun>[] => [
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
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <ReconciliationPanel reconciliation={reconciliation} />
      <ListPanel
        label={t("sweepTable")}
        columns={runColumns(t)}
        list={{ items: runs }}
        title={t("sweep")}
        count={runs.length > 0 ? t("lastRuns", { count: runs.length }) : undefined}
        empty={t("neverSwept")}
      />
    </div>
  );
}

type Finding = ReconciliationReport["findings"][number] & { id: string };

const findingColumns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<Finding>[] => [
  { label: t("found"), cell: ({ foundAt }) => <DateTime at={foundAt} withTime /> },
  {
    label: t("what"),
    cell: ({ kind }) => (kind === "lost" ? <Badge tone="bad">{t("lost")}</Badge> : <Badge>{t("orphan")}</Badge>),
  },
  { label: t("object"), cell: ({ s3Key }) => <code className="text-xs wrap-anywhere">{s3Key}</code> },
  { label: tAdmin("size"), numeric: true, cell: ({ size }) => formatBytes(size, t.locale) },
];

function ReconciliationPanel({ reconciliation: { last, findings } }: { reconciliation: ReconciliationReport }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <ListPanel
      label={t("reconciliationTable")}
      columns={findingColumns(t, tAdmin)}
      list={{ items: findings.map((finding) => ({ ...finding, id: finding.s3Key })) }}
      title={t("reconciliation")}
      count={last ? t(last.finishedAt === null ? "lookedSoFar" : "looked", last) : undefined}
      empty={t(last ? "nothingAmiss" : "noReconciliation")}
    />
  );
}
