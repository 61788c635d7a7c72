import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import type { CensusReport, SweepRun } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Badge } from "./badge.tsx";
import { CensusPanel } from "./census-panel.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const columns = (say: Translate<"officeRecords">): Column<SweepRun>[] => [
  { label: say("startedAt"), cell: ({ startedAt }) => <Moment at={startedAt} withTime /> },
  { label: say("took"), numeric: true, cell: ({ durationMs }) => say("milliseconds", { count: durationMs }) },
  { label: say("expiredFiles"), numeric: true, cell: ({ expiredFiles }) => expiredFiles },
  { label: say("abandonedUploads"), numeric: true, cell: ({ abandonedUploads }) => abandonedUploads },
  { label: say("leftovers"), numeric: true, cell: ({ leftovers }) => leftovers },
  { label: say("accountsRemoved"), numeric: true, cell: ({ removedAccounts }) => removedAccounts },
  {
    label: say("result"),
    cell: ({ failed }) =>
      failed.length === 0 ? (
        <Badge tone="good">{say("done")}</Badge>
      ) : (
        <Badge tone="bad">{say("choresFailed", { chores: failed.join(", ") })}</Badge>
      ),
  },
];

/** What the cron's runs have removed, newest first, and whether storage and database agree. */
export function SweepTab({ runs, census }: { runs: SweepRun[]; census: CensusReport }) {
  const say = useMessages("officeRecords");
  const isLoading = useIsLoading();
  return (
    <div className="grid gap-10">
      <CensusPanel census={census} />
      <ListPanel
        title={say("sweep")}
        count={runs.length > 0 ? say("lastRuns", { count: runs.length }) : undefined}
        empty={runs.length > 0 ? null : say("neverSwept")}
      >
        <DataTable
          label={say("sweepTable")}
          columns={columns(say)}
          rows={runs}
          keyOf={({ id }) => id}
          busy={isLoading}
        />
      </ListPanel>
    </div>
  );
}
