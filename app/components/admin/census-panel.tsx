import { useMessages } from "#app/messages/messages.ts";
import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { CensusReport } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const columns = (
  say: Translate<"officeRecords">,
  office: Translate<"office">,
): Column<CensusReport["findings"][number]>[] => [
  { label: say("found"), cell: ({ foundAt }) => <Moment at={foundAt} withTime /> },
  {
    label: say("what"),
    cell: ({ kind }) => (kind === "lost" ? <Badge tone="bad">{say("lost")}</Badge> : <Badge>{say("orphan")}</Badge>),
  },
  { label: say("object"), cell: ({ s3Key }) => <code className="text-xs break-all">{s3Key}</code> },
  { label: office("size"), numeric: true, cell: ({ size }) => formatBytes(size, say.locale) },
];

/** Whether what is stored and what the database says agree, as the last census found it. */
export function CensusPanel({ census: { last, findings } }: { census: CensusReport }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const isLoading = useIsLoading();
  return (
    <ListPanel
      title={say("census")}
      count={last ? inWords(last, say) : undefined}
      empty={emptiness(last, findings.length, say)}
    >
      <DataTable
        label={say("censusTable")}
        columns={columns(say, office)}
        rows={findings}
        keyOf={({ s3Key }) => s3Key}
        busy={isLoading}
      />
    </ListPanel>
  );
}

type LastCensus = NonNullable<CensusReport["last"]>;

function inWords({ finishedAt, objects, rows }: LastCensus, say: Translate<"officeRecords">): string {
  return say(finishedAt === null ? "lookedSoFar" : "looked", { objects, rows });
}

function emptiness(last: LastCensus | null, findings: number, say: Translate<"officeRecords">): string | null {
  if (findings > 0) return null;
  return say(last ? "nothingAmiss" : "noCensus");
}
