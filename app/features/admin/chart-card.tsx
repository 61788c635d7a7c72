import { lazy, Suspense, useMemo } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Card } from "#app/ui/card.tsx";
import type { Locale } from "#domain/locale.ts";
import { KIB } from "#domain/units.ts";
import type { OverviewDay } from "#domain/wire.ts";
import type { ChartTone } from "./chart.client.tsx";

const Chart = lazy(() => importWhenOnline(() => import("./chart.client.tsx")));

/** One series of a chart. `pick` returns a day's value; null if unknown. */
export interface Series {
  name: string;
  tone: ChartTone;
  pick(day: OverviewDay): number | null;
}

interface ChartCardProps {
  title: string;
  days: OverviewDay[];
  format(value: number): string;
  ticks(most: number): number[];
  /** The chart stacks the bars of its series. */
  series: readonly Series[];
}

/** A chart of daily values. A hidden table has the same values for screen readers. */
export function ChartCard({ title, days, format, ticks, series }: ChartCardProps) {
  const t = useMessages("admin");
  const hydrated = useHydrated();
  const labels = useMemo(() => days.map(({ day }) => shortDay(day, t.locale)), [days, t.locale]);
  const seriesValues = useMemo(
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
            <Chart labels={labels} series={seriesValues} format={format} ticks={ticks} />
          </Suspense>
        ) : (
          <div className="h-44" />
        )}
        {/* A box around the table is hidden, because a hidden table does not shrink and would widen the page. */}
        <div className="sr-only">
          <table>
            <thead>
              <tr>
                <th scope="col">{t("day")}</th>
                {seriesValues.map(({ name }) => (
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
                  {seriesValues.map(({ name, values }) => (
                    <td key={name}>{formatValue(values[index], format)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </figure>
    </Card>
  );
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** @param day a UTC date such as 2026-01-31 @returns "Jan 31", in the locale's format */
function shortDay(day: string, locale: Locale): string {
  return new Date(day).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
}

/** The most steps of a value axis: a chart is 11 rem high, and a label needs 28 px. */
const MOST_STEPS = 4;

/** Axis steps, times 1,024 for each larger unit. 256 and 512 reach the next unit without a fraction. */
const BYTE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256, 512];
const COUNT_STEPS = [1, 2, 5];

/** @param most the highest value, bytes @returns the labelled values of the axis, from 0 to `most` or just above */
export function byteTicks(most: number): number[] {
  return ticks(most, BYTE_STEPS, KIB);
}

/** The labelled values of an axis of counts. See `byteTicks`. */
export function countTicks(most: number): number[] {
  return ticks(most, COUNT_STEPS, 10);
}

function ticks(most: number, steps: readonly number[], unitFactor: number): number[] {
  for (let unit = 1; ; unit *= unitFactor) {
    const step = steps.map((count) => count * unit).find((size) => most <= MOST_STEPS * size);
    if (step === undefined) continue;
    const count = Math.max(1, Math.ceil(most / step));
    return Array.from({ length: count + 1 }, (_, index) => index * step);
  }
}
