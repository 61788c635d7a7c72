import { BarChart, FixedScaleAxis, type BarChartOptions, type BarDrawEvent } from "chartist";
import { useEffect, useRef } from "react";

export type ChartTone = "reed" | "amber" | "danger" | "blue";

interface ChartSeries {
  name: string;
  tone: ChartTone;
  /** One value for each label; null if unknown. */
  values: (number | null)[];
}

interface ChartProps {
  labels: string[];
  series: ChartSeries[];
  format(value: number): string;
  /** @param most the highest bar @returns the labelled values of the axis, from 0 on */
  ticks(most: number): number[];
}

/** The width of a bar as a share of the distance between two labels. */
const BAR_SHARE = 0.7;
const MAX_BAR_PX = 28;
/** The minimum width of a label below the bars. */
const LABEL_PX = 56;
const VALUE_PX = 72;

/** A bar chart, hidden from assistive technology, because ChartCard has a table with the same values. */
export default function Chart({ labels, series, format, ticks }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const chart = new BarChart(
      element,
      { labels, series: series.map(({ name, tone, values }) => ({ name, className: `chart-${tone}`, data: values })) },
      optionsFor(element, labels, format, ticks(highestBar(labels, series))),
    );
    chart.on("draw", (event) => {
      if (event.type === "bar") drawBar(event, labels, series, format);
    });
    return () => {
      chart.detach();
      element.replaceChildren();
    };
  }, [labels, series, format, ticks]);
  return <div ref={container} aria-hidden className="chart h-44" />;
}

/** @returns the height of the highest bar, which is the sum of the series' values, because series are stacked */
function highestBar(labels: string[], series: ChartSeries[]): number {
  const bars = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return Math.max(0, ...bars);
}

function optionsFor(
  element: HTMLElement,
  labels: string[],
  format: (value: number) => string,
  ticks: number[],
): BarChartOptions {
  const labelInterval = Math.max(
    1,
    Math.ceil((labels.length * LABEL_PX) / Math.max(element.clientWidth - VALUE_PX, 1)),
  );
  return {
    stackBars: true,
    low: 0,
    high: Math.max(...ticks),
    chartPadding: { top: 12, right: 24, bottom: 0, left: 4 },
    axisX: {
      showGrid: false,
      // Leaves out labels that have no room, counting from the newest day, so that the newest day has a label.
      labelInterpolationFnc: (label, index) =>
        (labels.length - 1 - index) % labelInterval === 0 ? String(label) : null,
    },
    axisY: {
      offset: VALUE_PX,
      type: FixedScaleAxis,
      ticks,
      labelInterpolationFnc: (value) => format(Number(value)),
    },
  };
}

function drawBar(
  { element, chartRect, index, seriesIndex }: BarDrawEvent,
  labels: string[],
  series: ChartSeries[],
  format: (value: number) => string,
): void {
  const width = Math.min(MAX_BAR_PX, (chartRect.width() / labels.length) * BAR_SHARE);
  element.attr({ style: `stroke-width: ${width}px` });
  const barSeries = series[seriesIndex];
  if (barSeries)
    element.elem("title").text(`${labels[index] ?? ""}: ${format(barSeries.values[index] ?? 0)} (${barSeries.name})`);
}
