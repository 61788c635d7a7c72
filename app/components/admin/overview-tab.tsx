import { Link } from "@remix-run/react";
import { useMemo, type ReactNode } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import { PLAN_IDS, planOf, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { OVERVIEW_DAYS, type Overview, type OverviewDay, type OverviewQuery } from "#domain/wire.ts";
import { Card } from "../ui/card.tsx";
import { ChartCard, type Series } from "./chart-card.tsx";
import type { ChartTone } from "./chart.client.tsx";
import { DataTable } from "./data-table.tsx";
import { Moment } from "./moment.tsx";
import { OrphanNotice } from "./orphan-notice.tsx";
import { SelectBox } from "../ui/select-box.tsx";

/** How the service is doing: what came in, what went out, what is stored, and what waits for somebody. */
export function OverviewTab({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const say = useMessages("office");
  const charts = useCharts();
  const { count, size } = charts;
  const show = useAddress();
  const { days, storage, openReports, unreadMessages, orphanAlert } = overview;
  const sum = (pick: (day: OverviewDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  return (
    <section aria-label={say("overview")} aria-busy={useIsLoading()}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-display text-2xl font-semibold">{say("overview")}</h2>
        <SelectBox
          label={say("timeSpan")}
          value={query.days}
          options={OVERVIEW_DAYS.map((span) => [String(span), say("lastDays", { count: span })])}
          onChoose={(chosen) => {
            show({ days: chosen === "30" ? null : chosen });
          }}
        />
      </div>
      {orphanAlert && <OrphanNotice alert={orphanAlert} />}
      <dl className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-6">
        <Tile term={say("uploads")} value={count(sum((day) => day.uploads))} />
        <Tile term={say("uploaded")} value={size(sum((day) => day.bytes))} />
        <Tile term={say("failedOrRejected")} value={count(sum((day) => day.failed + day.rejected))} />
        <Tile term={say("downloads")} value={count(sum((day) => day.downloads))} />
        <Tile term={say("openReports")} value={count(openReports)} to="?tab=reports" urgent={openReports > 0} />
        <Tile term={say("newMessages")} value={count(unreadMessages)} to="?tab=contact" urgent={unreadMessages > 0} />
      </dl>
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartCard title={say("uploadsChart")} days={days} format={count} series={charts.uploads} />
        <ChartCard title={say("bytesChart")} days={days} format={size} series={charts.bytes} />
        <ChartCard title={say("failuresChart")} days={days} format={count} series={charts.failures} />
        <ChartCard title={say("downloadsChart")} days={days} format={count} series={charts.downloads} />
        <div className="lg:col-span-2">
          <ChartCard title={say("storedChart")} days={days} format={size} series={charts.stored} />
        </div>
      </div>
      <Storage storage={storage} />
    </section>
  );
}

const PLAN_TONES: Record<PlanId, ChartTone> = { free: "reed", professional: "blue", ultimate: "amber" };

type Counted = "uploads" | "bytes" | "failed" | "rejected" | "downloads";

/** What the charts show, the same from one drawing to the next. */
function useCharts() {
  const say = useMessages("office");
  return useMemo(() => {
    const one = (name: Counted, tone: ChartTone, pick: (day: OverviewDay) => number) =>
      ({ name: say(name), tone, pick }) satisfies Series;
    return {
      count: (value: number) => value.toLocaleString(say.locale),
      size: (bytes: number) => formatBytes(bytes, say.locale),
      uploads: [one("uploads", "reed", (day) => day.uploads)],
      bytes: [one("bytes", "amber", (day) => day.bytes)],
      failures: [one("failed", "danger", (day) => day.failed), one("rejected", "amber", (day) => day.rejected)],
      downloads: [one("downloads", "blue", (day) => day.downloads)],
      stored: PLAN_IDS.map<Series>((plan) => ({
        name: planOf(plan).name,
        tone: PLAN_TONES[plan],
        pick: (day) => day.stored?.[plan] ?? null,
      })),
    };
  }, [say]);
}

interface TileProps {
  term: string;
  value: string;
  to?: string;
  urgent?: boolean;
}

function Tile({ term, value, to, urgent = false }: TileProps) {
  const number: ReactNode = <span className={urgent ? "text-amber" : undefined}>{value}</span>;
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

/** What is stored now, by plan. */
function Storage({ storage }: { storage: Overview["storage"] }) {
  const say = useMessages("office");
  const { count, size } = useCharts();
  return (
    <Card className="mt-4">
      <h3 className="font-medium">{say("storage")}</h3>
      {storage === null ? (
        <p className="mt-1 text-sm text-muted">{say("notCounted")}</p>
      ) : (
        <>
          <p className="mt-1 mb-3 text-sm text-muted">
            {say.rich<"counted", ReactNode>("counted", {
              date: () => <Moment key="date" at={storage.takenAt} withTime />,
            })}
          </p>
          <DataTable
            label={say("storage")}
            busy={false}
            rows={storage.plans}
            keyOf={({ planType }) => planType}
            columns={[
              {
                label: say("plan"),
                cell: ({ planType }) => <span className="font-medium">{planOf(planType).name}</span>,
              },
              { label: say("users"), numeric: true, cell: ({ users }) => count(users) },
              { label: say("files"), numeric: true, cell: ({ files }) => count(files) },
              { label: say("stored"), numeric: true, cell: ({ bytes }) => size(bytes) },
            ]}
          />
        </>
      )}
    </Card>
  );
}
