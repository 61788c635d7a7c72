import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { Badge } from "#app/ui/badge.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { formatBytes, formatDuration, SECOND_MS } from "#domain/units.ts";
import {
  UPLOAD_OUTCOMES,
  type Paged,
  type UploadLogEntry,
  type UploadLogQuery,
  RESEND_CAUSES,
  UPLOAD_WAITS,
  type UploadSummary,
} from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { EntryCount, UserLink } from "./file-cells.tsx";
import { FilterField, countValues, ListPanel } from "./list-panel.tsx";

/** Messages for the error codes of uploads that ended without a rejection. */
const ENDS: Partial<Record<string, "endCancelled" | "endAbandoned">> = {
  CANCELLED: "endCancelled",
  ABANDONED: "endAbandoned",
};

const TONES = { failed: "bad", rejected: "warn" } as const;

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<UploadLogEntry>[] => [
  {
    label: t("when"),
    cell: ({ timestamp, startedAt }) => (
      <>
        <DateTime at={timestamp} withTime />
        {startedAt !== null && (
          <span className="block text-xs text-muted">
            {t.rich<"begunAt", ReactNode>("begunAt", { date: () => <DateTime key="date" at={startedAt} withTime /> })}
          </span>
        )}
      </>
    ),
  },
  {
    label: t("file"),
    cell: ({ filename, mimeType, entries }) => (
      <>
        <span className="font-medium wrap-anywhere">{filename}</span>
        {entries === null ? (
          <span className="block text-xs wrap-anywhere text-muted">{mimeType}</span>
        ) : (
          <EntryCount count={entries} />
        )}
      </>
    ),
  },
  { label: tAdmin("size"), numeric: true, cell: ({ size }) => formatBytes(size, t.locale) },
  { label: tAdmin("userId"), cell: ({ userId }) => <UserLink userId={userId} /> },
  {
    label: t("outcome"),
    cell: ({ status, errorCode, errorMessage, summary }) => (
      <>
        {status === "success" ? (
          // Uploads before decision 052 are logged twice: when they start and when they end.
          <Badge tone={errorCode === "STARTED" ? "plain" : "good"}>
            {t(errorCode === "STARTED" ? "started" : "success")}
          </Badge>
        ) : (
          <>
            <Badge tone={TONES[status]}>{t(status)}</Badge>
            <span className="mt-1 block text-xs text-muted" title={errorCode ?? ""}>
              {errorMessage ?? describeEnd(errorCode, t)}
            </span>
          </>
        )}
        {summary && <HowItWent summary={summary} />}
      </>
    ),
  },
  {
    label: t("address"),
    cell: ({ ipAddress, userAgent }) => (
      <span className="block max-w-48 text-xs wrap-anywhere max-lg:max-w-none" title={userAgent ?? ""}>
        {ipAddress ?? t("unknown")}
      </span>
    ),
  },
];

function describeEnd(code: string | null, t: Translate<"adminRecords">): string | null {
  const end = ENDS[code ?? ""];
  return end ? t(end) : code;
}

export function UploadsTab({ query, list }: { query: UploadLogQuery; list: Paged<UploadLogEntry> }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const show = useSearchChange();
  const isFiltered = [query.userId, query.status, query.from, query.to].some((filter) => filter !== undefined);
  return (
    <ListPanel
      columns={columns(t, tAdmin)}
      list={list}
      title={t("uploads")}
      count={t("entryCount", countValues(list.total))}
      empty={t(isFiltered ? "noUploadMatches" : "noUploads")}
      tools={
        <>
          <SelectBox
            label={t("outcome")}
            value={query.status ?? ""}
            options={[["", t("everyOutcome")], ...UPLOAD_OUTCOMES.map((outcome) => [outcome, t(outcome)] as const)]}
            onChoose={(status) => show({ status })}
          />
          <FilterField
            label={tAdmin("userId")}
            name="userId"
            value={query.userId ?? ""}
            placeholder={tAdmin("userId")}
          />
          <FilterField label={t("from")} name="from" value={query.from ?? ""} type="date" />
          <FilterField label={t("to")} name="to" value={query.to ?? ""} type="date" />
        </>
      }
    />
  );
}

const ROUTES = { direct: "sentDirect", proxy: "sentProxy", both: "sentBoth", chunks: "sentChunks" } as const;
const CAUSES = {
  network: "againNetwork",
  timeout: "againTimeout",
  rejected: "againRejected",
  stalled: "againStalled",
} as const;

const WAITS = { files: "waitedFiles", server: "waitedServer", person: "waitedPerson" } as const;

/** Says how long an upload took and what slowed it down, as its sender reported. */
function HowItWent({ summary }: { summary: UploadSummary }) {
  const t = useMessages("adminRecords");
  const { transport, seconds, sentAgain, waited, stalledSeconds, lineShare } = summary;
  const causes = RESEND_CAUSES.filter((cause) => sentAgain[cause] > 0);
  const waits = UPLOAD_WAITS.flatMap((wait) => {
    const waitedSeconds = waited?.[wait] ?? 0;
    return waitedSeconds > 0 ? [t(WAITS[wait], { duration: formatDuration(waitedSeconds * SECOND_MS) })] : [];
  });
  const lines = [
    t("howItWent", { route: t(ROUTES[transport]), duration: formatDuration(seconds * SECOND_MS), share: lineShare }),
    ...(causes.length > 0
      ? [t("partsAgain", { causes: causes.map((cause) => t(CAUSES[cause], { count: sentAgain[cause] })).join(", ") })]
      : []),
    ...(waits.length > 0 ? [t("waited", { waits: waits.join(", ") })] : []),
    ...(stalledSeconds > 0 ? [t("nothingMoved", { duration: formatDuration(stalledSeconds * SECOND_MS) })] : []),
  ];
  return lines.map((line) => (
    <span key={line} className="mt-1 block text-xs text-muted">
      {line}
    </span>
  ));
}
