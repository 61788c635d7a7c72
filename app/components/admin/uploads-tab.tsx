import { useMessages } from "#app/messages/messages.ts";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import { formatBytes } from "#domain/units.ts";
import { UPLOAD_OUTCOMES, type Paged, type UploadLogEntry, type UploadLogQuery } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FilterField } from "./filter-field.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { SelectBox } from "../ui/select-box.tsx";
import { UserLink } from "./user-link.tsx";

const TONES = { failed: "bad", rejected: "warn" } as const;

const columns = (say: Translate<"officeRecords">, office: Translate<"office">): Column<UploadLogEntry>[] => [
  { label: say("when"), cell: ({ timestamp }) => <Moment at={timestamp} withTime /> },
  {
    label: say("file"),
    cell: ({ filename, mimeType }) => (
      <>
        <span className="font-medium break-all">{filename}</span>
        <span className="block text-xs break-all text-muted">{mimeType}</span>
      </>
    ),
  },
  { label: office("size"), numeric: true, cell: ({ size }) => formatBytes(size, say.locale) },
  { label: office("userId"), cell: ({ userId }) => <UserLink userId={userId} /> },
  {
    label: say("outcome"),
    cell: ({ status, errorCode, errorMessage }) =>
      status === "success" ? (
        // An upload has a row when it begins, and another when it is over.
        <Badge tone={errorCode === "STARTED" ? "plain" : "good"}>
          {say(errorCode === "STARTED" ? "started" : "success")}
        </Badge>
      ) : (
        <>
          <Badge tone={TONES[status]}>{say(status)}</Badge>
          <span className="mt-1 block text-xs text-muted" title={errorCode ?? ""}>
            {errorMessage ?? errorCode}
          </span>
        </>
      ),
  },
  {
    label: say("address"),
    cell: ({ ipAddress, userAgent }) => (
      <span className="block max-w-48 truncate text-xs" title={userAgent ?? ""}>
        {ipAddress ?? say("unknown")}
      </span>
    ),
  },
];

/** What became of each upload, newest first. */
export function UploadsTab({ query, list }: { query: UploadLogQuery; list: Paged<UploadLogEntry> }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const show = useAddress();
  const isLoading = useIsLoading();
  const isFiltered = [query.userId, query.status, query.from, query.to].some((filter) => filter !== undefined);
  return (
    <ListPanel
      title={say("uploads")}
      count={say("entryCount", countOf(list.total))}
      paged={list}
      empty={list.items.length > 0 ? null : say(isFiltered ? "noUploadMatches" : "noUploads")}
      tools={
        <>
          <SelectBox
            label={say("outcome")}
            value={query.status ?? ""}
            options={[["", say("everyOutcome")], ...UPLOAD_OUTCOMES.map((outcome) => [outcome, say(outcome)] as const)]}
            onChoose={(status) => {
              show({ status });
            }}
          />
          <FilterField
            label={office("userId")}
            name="userId"
            value={query.userId ?? ""}
            placeholder={office("userId")}
          />
          <FilterField label={say("from")} name="from" value={query.from ?? ""} type="date" />
          <FilterField label={say("to")} name="to" value={query.to ?? ""} type="date" />
        </>
      }
    >
      <DataTable
        label={say("uploads")}
        columns={columns(say, office)}
        rows={list.items}
        keyOf={({ id }) => id}
        busy={isLoading}
      />
    </ListPanel>
  );
}
