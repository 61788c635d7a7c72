import { useAddress, useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import { UPLOAD_OUTCOMES, type Paged, type UploadLogEntry, type UploadLogQuery } from "#domain/wire.ts";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FilterField } from "./filter-field.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { SelectBox } from "../ui/select-box.tsx";
import { UserLink } from "./user-link.tsx";

const WORDS = { success: "Succeeded", failed: "Failed", rejected: "Rejected" } as const;
const TONES = { failed: "bad", rejected: "warn" } as const;
const OUTCOMES = [
  ["", "Every outcome"],
  ...UPLOAD_OUTCOMES.map((outcome) => [outcome, WORDS[outcome]] as const),
] as const;

const COLUMNS: Column<UploadLogEntry>[] = [
  { label: "When", cell: ({ timestamp }) => <Moment at={timestamp} withTime /> },
  {
    label: "File",
    cell: ({ filename, mimeType }) => (
      <>
        <span className="font-medium break-all">{filename}</span>
        <span className="block text-xs break-all text-muted">{mimeType}</span>
      </>
    ),
  },
  { label: "Size", numeric: true, cell: ({ size }) => formatBytes(size) },
  { label: "User ID", cell: ({ userId }) => <UserLink userId={userId} /> },
  {
    label: "Outcome",
    cell: ({ status, errorCode, errorMessage }) =>
      status === "success" ? (
        // An upload has a row when it begins, and another when it is over.
        <Badge tone={errorCode === "STARTED" ? "plain" : "good"}>
          {errorCode === "STARTED" ? "Started" : WORDS.success}
        </Badge>
      ) : (
        <>
          <Badge tone={TONES[status]}>{WORDS[status]}</Badge>
          <span className="mt-1 block text-xs text-muted" title={errorCode ?? ""}>
            {errorMessage ?? errorCode}
          </span>
        </>
      ),
  },
  {
    label: "Address",
    cell: ({ ipAddress, userAgent }) => (
      <span className="block max-w-48 truncate text-xs" title={userAgent ?? ""}>
        {ipAddress ?? "unknown"}
      </span>
    ),
  },
];

/** What became of each upload, newest first. */
export function UploadsTab({ query, list }: { query: UploadLogQuery; list: Paged<UploadLogEntry> }) {
  const show = useAddress();
  const isLoading = useIsLoading();
  const isFiltered = [query.userId, query.status, query.from, query.to].some((filter) => filter !== undefined);
  return (
    <ListPanel
      title="Uploads"
      count={countOf(list.total, "entry", "entries")}
      paged={list}
      empty={
        list.items.length > 0 ? null : isFiltered ? "No upload matches these filters." : "Nothing was uploaded yet."
      }
      tools={
        <>
          <SelectBox
            label="Outcome"
            value={query.status ?? ""}
            options={OUTCOMES}
            onChoose={(status) => {
              show({ status });
            }}
          />
          <FilterField label="User ID" name="userId" value={query.userId ?? ""} placeholder="User ID" />
          <FilterField label="From" name="from" value={query.from ?? ""} type="date" />
          <FilterField label="To" name="to" value={query.to ?? ""} type="date" />
        </>
      }
    >
      <DataTable label="Uploads" columns={COLUMNS} rows={list.items} keyOf={({ id }) => id} busy={isLoading} />
    </ListPanel>
  );
}
