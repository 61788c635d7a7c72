import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useAddress, useIsLoading } from "#app/use-address.ts";
import { PLAN_IDS, planOf, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { OVERVIEW_DAYS, type Overview, type OverviewDay, type OverviewQuery } from "#domain/wire.ts";
import { Card } from "../ui/card.tsx";
import { ChartCard } from "./chart-card.tsx";
import type { ChartTone } from "./chart.client.tsx";
import { DataTable } from "./data-table.tsx";
import { Moment } from "./moment.tsx";
import { SelectBox } from "../ui/select-box.tsx";

const SPANS = OVERVIEW_DAYS.map((days) => [String(days), `The last ${days} days`] as const);

/** How the service is doing: what came in, what went out, what is stored, and what waits for somebody. */
export function OverviewTab({ query, overview }: { query: OverviewQuery; overview: Overview }) {
  const show = useAddress();
  const { days, storage, openReports, unreadMessages } = overview;
  const sum = (pick: (day: OverviewDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  return (
    <section aria-label="Overview" aria-busy={useIsLoading()}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-display text-2xl font-semibold">Overview</h2>
        <SelectBox
          label="Time span"
          value={query.days}
          options={SPANS}
          onChoose={(chosen) => {
            show({ days: chosen === "30" ? null : chosen });
          }}
        />
      </div>
      <dl className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-6">
        <Tile term="Uploads" value={count(sum((day) => day.uploads))} />
        <Tile term="Uploaded" value={formatBytes(sum((day) => day.bytes))} />
        <Tile term="Failed or rejected" value={count(sum((day) => day.failed + day.rejected))} />
        <Tile term="Downloads" value={count(sum((day) => day.downloads))} />
        <Tile term="Open reports" value={count(openReports)} to="?tab=reports" urgent={openReports > 0} />
        <Tile term="New messages" value={count(unreadMessages)} to="?tab=contact" urgent={unreadMessages > 0} />
      </dl>
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartCard title="Uploads a day" days={days} format={count} series={UPLOADS} />
        <ChartCard title="Bytes uploaded a day" days={days} format={formatBytes} series={BYTES} />
        <ChartCard title="Uploads that failed or were rejected" days={days} format={count} series={FAILURES} />
        <ChartCard title="Downloads a day" days={days} format={count} series={DOWNLOADS} />
        <div className="lg:col-span-2">
          <ChartCard title="Bytes stored, by plan" days={days} format={formatBytes} series={STORED} />
        </div>
      </div>
      <Storage storage={storage} />
    </section>
  );
}

const UPLOADS = [{ name: "Uploads", tone: "reed", pick: (day: OverviewDay) => day.uploads }] as const;
const BYTES = [{ name: "Bytes", tone: "amber", pick: (day: OverviewDay) => day.bytes }] as const;
const FAILURES = [
  { name: "Failed", tone: "danger", pick: (day: OverviewDay) => day.failed },
  { name: "Rejected", tone: "amber", pick: (day: OverviewDay) => day.rejected },
] as const;
const DOWNLOADS = [{ name: "Downloads", tone: "blue", pick: (day: OverviewDay) => day.downloads }] as const;
const PLAN_TONES: Record<PlanId, ChartTone> = { free: "reed", professional: "blue", ultimate: "amber" };
const STORED = PLAN_IDS.map((plan) => ({
  name: planOf(plan).name,
  tone: PLAN_TONES[plan],
  pick: (day: OverviewDay) => day.stored?.[plan] ?? null,
}));

function count(value: number): string {
  return value.toLocaleString("en-US");
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
  return (
    <Card className="mt-4">
      <h3 className="font-medium">Storage by plan</h3>
      {storage === null ? (
        <p className="mt-1 text-sm text-muted">Counted once an hour; the first count is on its way.</p>
      ) : (
        <>
          <p className="mt-1 mb-3 text-sm text-muted">
            Counted <Moment at={storage.takenAt} withTime />
          </p>
          <DataTable
            label="Storage by plan"
            busy={false}
            rows={storage.plans}
            keyOf={({ planType }) => planType}
            columns={[
              { label: "Plan", cell: ({ planType }) => <span className="font-medium">{planOf(planType).name}</span> },
              { label: "Users", numeric: true, cell: ({ users }) => count(users) },
              { label: "Files", numeric: true, cell: ({ files }) => count(files) },
              { label: "Stored", numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
            ]}
          />
        </>
      )}
    </Card>
  );
}
