import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useScheme } from './colours.ts';
import { HEIGHT, type Pointed, plotOptions, type Shown } from './plot-options.ts';

export interface ChartProps extends Shown {
  /** Times of the measurements in seconds since the epoch, ascending. */
  at: readonly number[];
  onPoint: (pointed: Pointed | null) => void;
}

/**
 * Renders a line chart on a canvas. Screen readers cannot read a canvas. Every page must therefore also show the
 * chart's information as text.
 */
export function Chart({ at, onPoint, ...shown }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const newest = useRef(shown);
  newest.current = shown;
  const point = useRef(onPoint);
  point.current = onPoint;
  const scheme = useScheme();
  const names = shown.lines.map(({ name }) => name).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed theme or changed lines need a new chart
  useEffect(() => {
    const inside = holder.current;
    if (inside === null) return;
    const options = plotOptions(newest, inside.clientWidth, (pointed) => point.current(pointed));
    const made = new uPlot(options, dataOf(at, newest.current), inside);
    plot.current = made;
    const seen = new ResizeObserver(() => made.setSize({ width: inside.clientWidth, height: HEIGHT }));
    seen.observe(inside);
    return () => {
      seen.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [scheme, names]);

  useEffect(() => {
    plot.current?.setData(dataOf(at, newest.current));
  }, [at]);

  return <div ref={holder} aria-hidden className="w-full" style={{ height: HEIGHT }} />;
}

function dataOf(at: readonly number[], { lines }: Shown): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])];
}
