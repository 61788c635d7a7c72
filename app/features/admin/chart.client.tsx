import { BarChart, type BarChartOptions, type BarDrawEvent } from "chartist";
import { useEffect, useRef } from "react";

/** The look of a series (app/features/admin/charts.css). */
export type ChartTone = "reed" | "amber" | "danger" | "blue";

export interface ChartSeries {
  name: string;
  tone: ChartTone;
  /** One for each label; null where it is not known. */
  values: (number | null)[];
}

interface ChartProps {
  labels: string[];
  /** Stacked on each other. */
  series: ChartSeries[];
  format(value: number): string;
}

/** How much of a label's share of the width its bar takes, and how wide it is at most. */
const BAR_SHARE = 0.7;
const MOST_BAR_PX = 28;
/** A label below the bars takes so much. */
const LABEL_PX = 56;
/** And one beside them. */
const VALUE_PX = 72;

/** Bars over time. Drawn as SVG, coloured by the page's own names, and hidden from assistive technology: a table says the same. */
export default function Chart({ labels, series, format }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const chart = new BarChart(
      element,
      { labels, series: series.map(({ name, tone, values }) => ({ name, className: `chart-${tone}`, data: values })) },
      optionsFor(element, labels, format),
    );
    chart.on("draw", (drawn) => {
      if (drawn.type === "bar") drawBar(drawn, labels, series, format);
    });
    return () => {
      chart.detach();
      element.replaceChildren();
    };
  }, [labels, series, format]);
  return <div ref={box} aria-hidden className="chart h-44" />;
}

function optionsFor(element: HTMLElement, labels: string[], format: (value: number) => string): BarChartOptions {
  const every = Math.max(1, Math.ceil((labels.length * LABEL_PX) / Math.max(element.clientWidth - VALUE_PX, 1)));
  return {
    stackBars: true,
    chartPadding: { top: 12, right: 24, bottom: 0, left: 4 },
    axisX: {
      showGrid: false,
      // The newest is always named.
      labelInterpolationFnc: (label, index) => ((labels.length - 1 - index) % every === 0 ? String(label) : null),
    },
    axisY: {
      offset: VALUE_PX,
      scaleMinSpace: 28,
      onlyInteger: true,
      labelInterpolationFnc: (value) => format(Number(value)),
    },
  };
}

/** Makes a bar as wide as there is room for, and says its value under the mouse. */
function drawBar(
  { element, chartRect, index, seriesIndex }: BarDrawEvent,
  labels: string[],
  series: ChartSeries[],
  format: (value: number) => string,
): void {
  const width = Math.min(MOST_BAR_PX, (chartRect.width() / labels.length) * BAR_SHARE);
  element.attr({ style: `stroke-width: ${width}px` });
  const shown = series[seriesIndex];
  if (shown) element.elem("title").text(`${labels[index] ?? ""}: ${format(shown.values[index] ?? 0)} (${shown.name})`);
}
