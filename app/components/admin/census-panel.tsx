import { useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import type { CensusReport } from "#domain/wire.ts";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";

const COLUMNS: Column<CensusReport["findings"][number]>[] = [
  { label: "Found", cell: ({ foundAt }) => <Moment at={foundAt} withTime /> },
  {
    label: "What",
    cell: ({ kind }) =>
      kind === "lost" ? <Badge tone="bad">File without its object</Badge> : <Badge>Orphan, deleted</Badge>,
  },
  { label: "Object", cell: ({ s3Key }) => <code className="text-xs break-all">{s3Key}</code> },
  { label: "Size", numeric: true, cell: ({ size }) => formatBytes(size) },
];

/** Whether what is stored and what the database says agree, as the last census found it. */
export function CensusPanel({ census: { last, findings } }: { census: CensusReport }) {
  const isLoading = useIsLoading();
  return (
    <ListPanel title="Census" count={last ? inWords(last) : undefined} empty={emptiness(last, findings.length)}>
      <DataTable
        label="What the census found"
        columns={COLUMNS}
        rows={findings}
        keyOf={({ s3Key }) => s3Key}
        busy={isLoading}
      />
    </ListPanel>
  );
}

type LastCensus = NonNullable<CensusReport["last"]>;

function inWords({ finishedAt, objects, rows }: LastCensus): string {
  const looked = `${objects.toLocaleString("en-US")} objects and ${rows.toLocaleString("en-US")} rows`;
  return finishedAt === null ? `${looked} so far` : looked;
}

function emptiness(last: LastCensus | null, findings: number): string | null {
  if (findings > 0) return null;
  if (!last) return "There has been no census yet. It begins by itself, once a day.";
  return "Every object belongs to a file, and every file has its object.";
}
