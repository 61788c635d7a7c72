import { useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/card.tsx";
import { SearchBox } from "#app/ui/search-box.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile, FileReport, Paged, ReportsQuery } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { AdminView } from "#worker/page-types.ts";
import { type Column, RowButton } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName, UserLink } from "./file-cells.tsx";
import { countValues, ListPanel } from "./list-panel.tsx";
import { DismissReport, reportedPath, TakeDownReported, RevealKey } from "./report-dialogs.tsx";

const STATES = [
  ["open", "openOnes"],
  ["settled", "settledOnes"],
] as const;

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<FileReport>[] => [
  { label: tAdmin("date"), cell: ({ createdAt }) => <DateTime at={createdAt} withTime /> },
  {
    label: t("file"),
    cell: (report) => (
      <>
        {report.file ? <FileName file={report.file} /> : <span className="text-muted">{t("gone")}</span>}
        {report.entry !== null && (
          <span className="mt-1 block text-xs wrap-anywhere">
            {t("reportedEntry", { path: reportedPath(report, report.entry, t) })}
          </span>
        )}
      </>
    ),
  },
  { label: tAdmin("userId"), cell: ({ file }) => (file ? <UserLink userId={file.userId} /> : "–") },
  { label: t("reason"), cell: ({ reason }) => <Reason reason={reason} /> },
  {
    label: t("message"),
    cell: ({ message, email }) => (
      <>
        <span className="whitespace-pre-wrap">{message || "–"}</span>
        {email !== "" && <span className="block text-xs wrap-anywhere text-muted">{email}</span>}
      </>
    ),
  },
];

function Reason({ reason }: Pick<FileReport, "reason">) {
  const t = useMessages("reportReasons");
  return <Badge tone="warn">{t(reason)}</Badge>;
}

const settledColumn = (t: Translate<"adminRecords">): Column<FileReport> => ({
  label: t("settled"),
  cell: ({ settled }) =>
    settled && (
      <>
        <Badge tone={settled.outcome === "taken-down" ? "bad" : "plain"}>
          {t(settled.outcome === "taken-down" ? "takenDown" : "dismissed")}
        </Badge>
        <span className="block text-xs text-muted">
          {t.rich<"settledBy", ReactNode>("settledBy", {
            name: settled.by,
            date: () => <DateTime key="date" at={settled.at} withTime />,
          })}
        </span>
        {settled.note !== "" && <span className="block text-xs">{settled.note}</span>}
      </>
    ),
});

interface ReportsTabProps {
  query: ReportsQuery;
  fileSearch: string;
  foundFile: AdminView<AdminFile> | null;
  list: Paged<FileReport>;
  origin: string;
}

export function ReportsTab({ query, fileSearch, foundFile, list, origin }: ReportsTabProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [openReport, setOpenReport] = useState<{ report: FileReport; takesDown: boolean } | null>(null);
  const [keyOf, setKeyOf] = useState<string | null>(null);
  const show = useSearchChange();
  const isOpen = query.state !== "settled";
  const close = () => setOpenReport(null);
  return (
    <>
      <FindFile fileSearch={fileSearch} foundFile={foundFile} origin={origin} />
      <ListPanel
        columns={isOpen ? columns(t, tAdmin) : [...columns(t, tAdmin), settledColumn(t)]}
        list={list}
        title={t("reports")}
        count={t("reportCount", countValues(list.total))}
        empty={t(isOpen ? "noOpenReport" : "noSettledReport")}
        tools={
          <SelectBox
            label={t("state")}
            value={query.state ?? "open"}
            options={STATES.map(([state, name]) => [state, t(name)])}
            onChoose={(state) => show({ state: state === "open" ? null : state })}
          />
        }
        {...(isOpen && {
          actions: (report: FileReport) => (
            <>
              {report.hasSharedKey && <RowButton onClick={() => setKeyOf(report.id)}>{t("showKey")}</RowButton>}
              <RowButton onClick={() => setOpenReport({ report, takesDown: false })}>{t("dismiss")}</RowButton>
              {report.file && !report.file.isExpired && (
                <RowButton look="danger" onClick={() => setOpenReport({ report, takesDown: true })}>
                  {tAdmin("takeDown")}
                </RowButton>
              )}
            </>
          ),
        })}
      >
        {keyOf !== null && <RevealKey reportId={keyOf} onClose={() => setKeyOf(null)} />}
        {openReport && !openReport.takesDown && <DismissReport report={openReport.report} onClose={close} />}
        {openReport?.takesDown && openReport.report.file && (
          <TakeDownReported report={openReport.report} file={openReport.report.file} onClose={close} />
        )}
      </ListPanel>
    </>
  );
}

interface FindFileProps {
  fileSearch: string;
  foundFile: AdminView<AdminFile> | null;
  origin: string;
}

/** Finds any file by its link, so that an administrator can answer a takedown request. */
function FindFile({ fileSearch, foundFile, origin }: FindFileProps) {
  const t = useMessages("adminRecords");
  const show = useSearchChange();
  return (
    <section aria-label={t("findFile")} className="mb-6">
      <div className="flex">
        <SearchBox
          label={t("findFile")}
          placeholder={t("findFileBy")}
          search={fileSearch}
          onSearch={(file) => show({ file })}
        />
      </div>
      {foundFile?.kind === "refused" && (
        <p role="status" className="mt-2 text-sm text-muted">
          {foundFile.status === 404 ? t("noSuchFile") : foundFile.message}
        </p>
      )}
      {foundFile?.kind === "answer" && (
        <Card className="mt-3 p-4!">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0 text-sm">
              <FileName file={foundFile.answer} />
              <p className="text-muted">
                {formatBytes(foundFile.answer.size, t.locale)} · <UserLink userId={foundFile.answer.userId} />
              </p>
            </div>
            <div className="flex flex-wrap gap-1.5">
              <FileActions file={foundFile.answer} origin={origin} />
            </div>
          </div>
        </Card>
      )}
    </section>
  );
}
