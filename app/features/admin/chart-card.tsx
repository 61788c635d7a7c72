import { lazy, Suspense, useMemo } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Locale } from "#domain/locale.ts";
import type { OverviewDay } from "#domain/wire.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Card } from "#app/ui/card.tsx";
import type { ChartTone } from "./chart.client.tsx";

/** Fetched with the overview, and nowhere else. */
const Chart = lazy(() => importWhenOnline(() => import("./chart.client.tsx")));

/** One of a chart's numbers of a day; null where nobody knows it. */
export interface Series {
  name: string;
  tone: ChartTone;
  pick(day: OverviewDay): number | null;
}

interface ChartCardProps {
  title: string;
  days: OverviewDay[];
  format(value: number): string;
  /** Stacked on each other. */
  series: readonly Series[];
}

/** A chart of some of each day's numbers, and the same in a table for who cannot see it. */
export function ChartCard({ title, days, format, series }: ChartCardProps) {
  const t = useMessages("admin");
  const hydrated = useHydrated();
  const labels = useMemo(() => days.map(({ day }) => shortDay(day, t.locale)), [days, t.locale]);
  const drawn = useMemo(
    () => series.map(({ name, tone, pick }) => ({ name, tone, values: days.map((day) => pick(day)) })),
    [series, days],
  );
  return (
    <Card className="p-4! sm:p-5!">
      <figure aria-label={title}>
        <figcaption className="mb-2 flex flex-wrap items-center justify-between gap-3">
          <span className="font-medium">{title}</span>
          {series.length > 1 && (
            <span className="flex gap-3 text-sm text-muted">
              {series.map(({ name, tone }) => (
                <span key={name} className={`chart-${tone} flex items-center gap-1.5`}>
                  <span aria-hidden className="size-2.5 rounded-full bg-(--series)" />
                  {name}
                </span>
              ))}
            </span>
          )}
        </figcaption>
        {hydrated ? (
          <Suspense fallback={<div className="h-44" />}>
            <Chart labels={labels} series={drawn} format={format} />
          </Suspense>
        ) : (
          <div className="h-44" />
        )}
        <table className="sr-only">
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              {drawn.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day }, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {drawn.map(({ name, values }) => (
                  <td key={name}>{inWords(values[index], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
    </Card>
  );
}

function inWords(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** @param day 2026-01-31, UTC @returns "Jan 31", as the language writes it */
function shortDay(day: string, locale: Locale): string {
  return new Date(day).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
}
