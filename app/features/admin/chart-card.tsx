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

/** `pick` returns null if the value is unknown. */
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
  /** Stacked. */
  series: readonly Series[];
}

/** A chart of daily values, with the same values in a table for screen readers. */
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
        {/* The box is hidden, not the table: a table does not shrink, and would widen the page. */}
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

/** @param day 2026-01-31, UTC @returns "Jan 31", in the locale's format */
function shortDay(day: string, locale: Locale): string {
  return new Date(day).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
}

/** A chart is 11 rem high, and a label needs 28 px. */
const MOST_STEPS = 4;

/** Below a unit of 1,024 smaller ones. The last two lead to it without a fraction: 256, 512, 768, 1 GB. */
const BYTE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256, 512];
const COUNT_STEPS = [1, 2, 5];

/** Values that are marked beside a chart, from 0 to the first that nothing exceeds. @param most the highest value, bytes */
export function byteTicks(most: number): number[] {
  return ticks(most, BYTE_STEPS, KIB);
}

/** The ticks of an axis of counts, as `byteTicks` makes them for bytes. */
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
