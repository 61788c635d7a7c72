import { useState } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import type { AdminFile, FileReport, Paged, ReportsQuery } from "#domain/wire.ts";
import type { AdminView } from "#worker/pages.ts";
import { Badge } from "./badge.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { FileName } from "./file-name.tsx";
import { FindFile } from "./find-file.tsx";
import { countOf, ListPanel } from "./list-panel.tsx";
import { Moment } from "./moment.tsx";
import { DismissReport, TakeDownReported } from "./report-dialogs.tsx";
import { RowButton } from "./row-button.tsx";
import { SelectBox } from "../ui/select-box.tsx";
import { UserLink } from "./user-link.tsx";

const STATES = [
  ["open", "Open ones"],
  ["settled", "Settled ones"],
] as const;

const COLUMNS: Column<FileReport>[] = [
  { label: "Date", cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
  { label: "File", cell: ({ file }) => (file ? <FileName file={file} /> : <span className="text-muted">Gone</span>) },
  { label: "User ID", cell: ({ file }) => (file ? <UserLink userId={file.userId} /> : "–") },
  { label: "Reason", cell: ({ reason }) => <Reason reason={reason} /> },
  {
    label: "Message",
    cell: ({ message, email }) => (
      <>
        <span className="whitespace-pre-wrap">{message || "–"}</span>
        {email !== "" && <span className="block text-xs break-all text-muted">{email}</span>}
      </>
    ),
  },
];

function Reason({ reason }: Pick<FileReport, "reason">) {
  const say = useMessages("reportReasons");
  return <Badge tone="warn">{say(reason)}</Badge>;
}

const SETTLED: Column<FileReport> = {
  label: "Settled",
  cell: ({ settled }) =>
    settled && (
      <>
        <Badge tone={settled.outcome === "taken-down" ? "bad" : "plain"}>
          {settled.outcome === "taken-down" ? "Taken down" : "Dismissed"}
        </Badge>
        <span className="block text-xs text-muted">
          {settled.by}, <Moment at={settled.at} withTime />
        </span>
        {settled.note !== "" && <span className="block text-xs">{settled.note}</span>}
      </>
    ),
};

interface ReportsTabProps {
  query: ReportsQuery;
  /** What file was looked for; "" for none. */
  wanted: string;
  found: AdminView<AdminFile> | null;
  list: Paged<FileReport>;
  origin: string;
}

/** What visitors have reported about files, and taking files down. */
export function ReportsTab({ query, wanted, found, list, origin }: ReportsTabProps) {
  const [open, setOpen] = useState<{ report: FileReport; takesDown: boolean } | null>(null);
  const show = useAddress();
  const isLoading = useIsLoading();
  const isOpen = query.state !== "settled";
  const close = () => {
    setOpen(null);
  };
  return (
    <>
      <FindFile wanted={wanted} found={found} origin={origin} />
      <ListPanel
        title="Reports"
        count={countOf(list.total, "report")}
        paged={list}
        empty={list.items.length > 0 ? null : isOpen ? "No report is open." : "No report was settled yet."}
        tools={
          <SelectBox
            label="State"
            value={query.state ?? "open"}
            options={STATES}
            onChoose={(state) => {
              show({ state: state === "open" ? null : state });
            }}
          />
        }
      >
        <DataTable
          label="Reports"
          columns={isOpen ? COLUMNS : [...COLUMNS, SETTLED]}
          rows={list.items}
          keyOf={({ id }) => id}
          busy={isLoading}
          {...(isOpen
            ? {
                actions: (report: FileReport) => (
                  <>
                    <RowButton
                      onClick={() => {
                        setOpen({ report, takesDown: false });
                      }}
                    >
                      Dismiss
                    </RowButton>
                    {report.file && !report.file.isExpired && (
                      <RowButton
                        look="danger"
                        onClick={() => {
                          setOpen({ report, takesDown: true });
                        }}
                      >
                        Take Down
                      </RowButton>
                    )}
                  </>
                ),
              }
            : {})}
        />
        {open && !open.takesDown && <DismissReport report={open.report} onClose={close} />}
        {open?.takesDown && open.report.file && (
          <TakeDownReported report={open.report} file={open.report.file} onClose={close} />
        )}
      </ListPanel>
    </>
  );
}
