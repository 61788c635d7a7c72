import { useIsLoading } from "#app/use-address.ts";
import type { CensusReport, SweepRun } from "#domain/wire.ts";
import { Badge } from "./badge.tsx";
import { CensusPanel } from "./census-panel.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const COLUMNS: Column<SweepRun>[] = [
  { label: "Started", cell: ({ startedAt }) => <Moment at={startedAt} withTime /> },
  { label: "Took", numeric: true, cell: ({ durationMs }) => `${durationMs.toLocaleString("en-US")} ms` },
  { label: "Expired Files", numeric: true, cell: ({ expiredFiles }) => expiredFiles },
  { label: "Abandoned Uploads", numeric: true, cell: ({ abandonedUploads }) => abandonedUploads },
  { label: "Leftovers", numeric: true, cell: ({ leftovers }) => leftovers },
  { label: "Accounts Removed", numeric: true, cell: ({ removedAccounts }) => removedAccounts },
  {
    label: "Result",
    cell: ({ failed }) =>
      failed.length === 0 ? <Badge tone="good">Done</Badge> : <Badge tone="bad">Failed: {failed.join(", ")}</Badge>,
  },
];

/** What the cron's runs have removed, newest first, and whether storage and database agree. */
export function SweepTab({ runs, census }: { runs: SweepRun[]; census: CensusReport }) {
  const isLoading = useIsLoading();
  return (
    <div className="grid gap-10">
      <CensusPanel census={census} />
      <ListPanel
        title="Sweep"
        count={runs.length > 0 ? `the last ${runs.length}` : undefined}
        empty={runs.length > 0 ? null : "The sweep has not run yet. It runs each minute."}
      >
        <DataTable label="Runs of the sweep" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} busy={isLoading} />
      </ListPanel>
    </div>
  );
}
