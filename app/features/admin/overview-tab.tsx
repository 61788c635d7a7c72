import { Link } from "@remix-run/react";
import { TriangleAlert } from "lucide-react";
import { useMemo, type ReactNode, useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange, useIsLoading } from "#app/lib/search-params.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { toast } from "#app/ui/toast.ts";
import { reachedWarnings } from "#domain/database-fill.ts";
import { PLAN_IDS, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import {
  OVERVIEW_DAYS,
  type Overview,
  type OverviewDay,
  type OverviewQuery,
  type OrphanAlert,
  type RefusedMail,
} from "#domain/wire.ts";
import { adminErrorToast } from "./admin-changes.ts";
import { ChartCard, type Series, byteTicks, countTicks } from "./chart-card.tsx";
import type { ChartTone } from "./chart.client.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DataTable } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { countValues } from "./list-panel.tsx";

export function OverviewTab({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const t = useMessages("admin");
  const charts = useCharts();
  const { count, size } = charts;
  const show = useSearchChange();
  const { days, storage, openReports, unreadMessages, orphanAlert, database, refusedMails } = overview;
  const sum = (pick: (day: OverviewDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  return (
    <section aria-label={t("overview")} aria-busy={useIsLoading()}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-display text-2xl font-semibold">{t("overview")}</h2>
        <SelectBox
          label={t("timeSpan")}
          value={query.days}
          options={OVERVIEW_DAYS.map((span) => [String(span), t("lastDays", { count: span })])}
          onChoose={(value) => show({ days: value === "30" ? null : value })}
        />
      </div>
      {orphanAlert && <OrphanNotice alert={orphanAlert} />}
      {reachedWarnings(database).length > 0 && <DatabaseNotice database={database} />}
      <dl className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-7">
        <Tile term={t("uploads")} value={count(sum((day) => day.uploads))} />
        <Tile term={t("uploaded")} value={size(sum((day) => day.bytes))} />
        <Tile term={t("failedOrRejected")} value={count(sum((day) => day.failed + day.rejected))} />
        <Tile term={t("downloads")} value={count(sum((day) => day.downloads))} />
        <Tile term={t("blockedUploads")} value={count(sum((day) => day.blocked))} to="?tab=blocked" />
        <Tile term={t("openReports")} value={count(openReports)} to="?tab=reports" isUrgent={openReports > 0} />
        <Tile term={t("newMessages")} value={count(unreadMessages)} to="?tab=contact" isUrgent={unreadMessages > 0} />
      </dl>
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartCard title={t("uploadsChart")} days={days} format={count} ticks={countTicks} series={charts.uploads} />
        <ChartCard title={t("bytesChart")} days={days} format={size} ticks={byteTicks} series={charts.bytes} />
        <ChartCard title={t("failuresChart")} days={days} format={count} ticks={countTicks} series={charts.failures} />
        <ChartCard
          title={t("downloadsChart")}
          days={days}
          format={count}
          ticks={countTicks}
          series={charts.downloads}
        />
        <div className="lg:col-span-2">
          <ChartCard title={t("storedChart")} days={days} format={size} ticks={byteTicks} series={charts.stored} />
        </div>
      </div>
      <Storage storage={storage} database={database} />
      {refusedMails.length > 0 && <RefusedMails mails={refusedMails} />}
    </section>
  );
}

/** The colours of the plans, in the order of the plans. A fifth plan has the first colour. */
const PLAN_TONES = ["reed", "blue", "amber", "danger"] as const satisfies readonly ChartTone[];

type CountName = "uploads" | "bytes" | "failed" | "rejected" | "downloads";

/** The series and number formats of the charts, memoised because a chart is drawn anew when its series change. */
function useCharts() {
  const t = useMessages("admin");
  return useMemo(() => {
    const series = (name: CountName, tone: ChartTone, pick: (day: OverviewDay) => number) =>
      ({ name: t(name), tone, pick }) satisfies Series;
    return {
      count: (value: number) => value.toLocaleString(t.locale),
      size: (bytes: number) => formatBytes(bytes, t.locale),
      uploads: [series("uploads", "reed", (day) => day.uploads)],
      bytes: [series("bytes", "amber", (day) => day.bytes)],
      failures: [series("failed", "danger", (day) => day.failed), series("rejected", "amber", (day) => day.rejected)],
      downloads: [series("downloads", "blue", (day) => day.downloads)],
      stored: PLAN_IDS.map<Series>((plan, index) => ({
        name: planOf(plan).name,
        tone: PLAN_TONES[index % PLAN_TONES.length] ?? PLAN_TONES[0],
        pick: (day) => day.stored?.[plan] ?? null,
      })),
    };
  }, [t]);
}

interface TileProps {
  term: string;
  value: string;
  to?: string;
  isUrgent?: boolean;
}

function Tile({ term, value, to, isUrgent = false }: TileProps) {
  const number: ReactNode = <span className={isUrgent ? "text-amber" : undefined}>{value}</span>;
  return (
    <div className="rounded-2xl border border-line bg-surface px-4 py-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="font-display text-2xl font-semibold tabular-nums">
        {to === undefined ? (
          number
        ) : (
          <Link to={to} className="underline-offset-4 hover:underline">
            {number}
          </Link>
        )}
      </dd>
    </div>
  );
}

function Storage({ storage, database }: Pick<Overview, "storage" | "database">) {
  const t = useMessages("admin");
  const { count, size } = useCharts();
  return (
    <Card className="mt-4">
      <p className="mb-4 text-sm text-muted">{t("databaseSize", databaseValues(database, size))}</p>
      <h3 className="font-medium">{t("storage")}</h3>
      {storage === null ? (
        <p className="mt-1 text-sm text-muted">{t("notCounted")}</p>
      ) : (
        <>
          <p className="mt-1 mb-3 text-sm text-muted">
            {t.rich<"counted", ReactNode>("counted", {
              date: () => <DateTime key="date" at={storage.takenAt} withTime />,
            })}
          </p>
          <DataTable
            label={t("storage")}
            busy={false}
            rows={storage.plans}
            keyOf={({ planType }) => planType}
            columns={[
              {
                label: t("plan"),
                cell: ({ planType }) => <span className="font-medium">{planOf(planType).name}</span>,
              },
              { label: t("users"), numeric: true, cell: ({ users }) => count(users) },
              { label: t("files"), numeric: true, cell: ({ files }) => count(files) },
              { label: t("stored"), numeric: true, cell: ({ bytes }) => size(bytes) },
            ]}
          />
        </>
      )}
    </Card>
  );
}

/** Mails that were given up, so that an administrator sees who waits in vain for a mail (decision 053). */
function RefusedMails({ mails }: { mails: RefusedMail[] }) {
  const t = useMessages("admin");
  return (
    <Card className="mt-4">
      <h3 className="font-medium">{t("refusedMails")}</h3>
      <p className="mt-1 mb-3 text-sm text-muted">{t("refusedMailsHelp")}</p>
      <DataTable
        label={t("refusedMails")}
        busy={false}
        rows={mails}
        keyOf={({ id }) => id}
        columns={[
          { label: t("email"), cell: ({ to }) => <span className="wrap-anywhere">{to}</span> },
          { label: t("subject"), cell: ({ subject }) => subject },
          { label: t("reason"), cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
          { label: t("date"), cell: ({ at }) => <DateTime at={at} withTime /> },
        ]}
      />
    </Card>
  );
}

function databaseValues({ bytes, limitBytes, percent }: Overview["database"], size: (bytes: number) => string) {
  return { size: size(bytes), limit: size(limitBytes), percent };
}

/** Warns that the database is filling up (decision 052). */
function DatabaseNotice({ database }: Pick<Overview, "database">) {
  const t = useMessages("admin");
  const { size } = useCharts();
  const { daysLeft } = database;
  return (
    <Card className="mb-5 border-danger!">
      <div role="alert" className="grid max-w-prose gap-3">
        <h3 className="flex items-center gap-2 text-lg font-medium">
          <TriangleAlert size={22} aria-hidden className="shrink-0 text-danger" />
          {t("databaseFills")}
        </h3>
        <p>{t("databaseSize", databaseValues(database, size))}</p>
        {daysLeft !== null && <p>{t("databaseDaysLeft", { days: daysLeft })}</p>}
        <p>{t("databaseAdvice")}</p>
      </div>
    </Card>
  );
}

/** Warns about too many orphans, and lets an administrator approve their deletion (decision 023). */
function OrphanNotice({ alert }: { alert: OrphanAlert }) {
  const t = useMessages("admin");
  const [isConfirming, setIsConfirming] = useState(false);
  const orphanCount = countValues(alert.orphans);
  return (
    <Card className="mb-5 border-danger!">
      <div role="alert" className="grid max-w-prose gap-3">
        <h3 className="flex items-center gap-2 text-lg font-medium">
          <TriangleAlert size={22} aria-hidden className="shrink-0 text-danger" />
          {t("orphanAlert")}
        </h3>
        <p>
          {t.rich<"orphanCount", ReactNode>("orphanCount", {
            ...orphanCount,
            size: formatBytes(alert.bytes, t.locale),
            date: () => <DateTime key="date" at={alert.since} withTime />,
          })}
        </p>
        <p>{t("orphanCause")}</p>
        <p>{t("orphanAdvice")}</p>
      </div>
      <Button look="danger" className="mt-5 max-sm:w-full" onClick={() => setIsConfirming(true)}>
        {t("approveOrphans")}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={t("approveOrphansQuestion")}
          text={t("approveOrphansHelp", orphanCount)}
          yes={t("approveOrphansNow")}
          pending={t("approvingOrphans")}
          run={() => call("POST /api/admin/orphans/approve", { body: { asOf: alert.asOf } })}
          onSuccess={() => toast({ title: t("orphansApproved"), description: t("orphansApprovedHelp") })}
          onError={adminErrorToast(t("updateFailed"), t("approveOrphansFailed"))}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Card>
  );
}
