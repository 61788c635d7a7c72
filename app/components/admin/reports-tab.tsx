import { useState, type ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import type { AdminFile, FileReport, Paged, ReportsQuery } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
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
  ["open", "openOnes"],
  ["settled", "settledOnes"],
] as const;

const columns = (say: Translate<"officeRecords">, office: Translate<"office">): Column<FileReport>[] => [
  { label: office("date"), cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
  {
    label: say("file"),
    cell: ({ file }) => (file ? <FileName file={file} /> : <span className="text-muted">{say("gone")}</span>),
  },
  { label: office("userId"), cell: ({ file }) => (file ? <UserLink userId={file.userId} /> : "–") },
  { label: say("reason"), cell: ({ reason }) => <Reason reason={reason} /> },
  {
    label: say("message"),
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

const settledColumn = (say: Translate<"officeRecords">): Column<FileReport> => ({
  label: say("settled"),
  cell: ({ settled }) =>
    settled && (
      <>
        <Badge tone={settled.outcome === "taken-down" ? "bad" : "plain"}>
          {say(settled.outcome === "taken-down" ? "takenDown" : "dismissed")}
        </Badge>
        <span className="block text-xs text-muted">
          {say.rich<"settledBy", ReactNode>("settledBy", {
            name: settled.by,
            date: () => <Moment key="date" at={settled.at} withTime />,
          })}
        </span>
        {settled.note !== "" && <span className="block text-xs">{settled.note}</span>}
      </>
    ),
});

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
  const say = useMessages("officeRecords");
  const office = useMessages("office");
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
        title={say("reports")}
        count={say("reportCount", countOf(list.total))}
        paged={list}
        empty={list.items.length > 0 ? null : say(isOpen ? "noOpenReport" : "noSettledReport")}
        tools={
          <SelectBox
            label={say("state")}
            value={query.state ?? "open"}
            options={STATES.map(([state, name]) => [state, say(name)])}
            onChoose={(state) => {
              show({ state: state === "open" ? null : state });
            }}
          />
        }
      >
        <DataTable
          label={say("reports")}
          columns={isOpen ? columns(say, office) : [...columns(say, office), settledColumn(say)]}
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
                      {say("dismiss")}
                    </RowButton>
                    {report.file && !report.file.isExpired && (
                      <RowButton
                        look="danger"
                        onClick={() => {
                          setOpen({ report, takesDown: true });
                        }}
                      >
                        {office("takeDown")}
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
