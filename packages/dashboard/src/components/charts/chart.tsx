import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Turns } from '../../util/turns.ts';
import { useScheme } from './colours.ts';
import { HEIGHT, type Pointed, plotOptions, type Shown } from './plot-options.ts';

/** Queue that draws one chart at a time. Drawing all charts of a page at once would block the browser of a phone. */
const turns = new Turns();

export interface ChartProps extends Shown {
  /** Times of the measurements in seconds since the epoch, ascending. */
  at: readonly number[];
  onPoint: (pointed: Pointed | null) => void;
}

/**
 * Renders a line chart on a canvas. Screen readers cannot read a canvas, so each page must also show the chart's
 * information as text.
 */
export function Chart({ at, onPoint, ...shown }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const newest = useRef({ at, ...shown });
  newest.current = { at, ...shown };
  const point = useRef(onPoint);
  point.current = onPoint;
  const scheme = useScheme();
  const names = shown.lines.map(({ name }) => name).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed theme or changed lines need a new chart
  useEffect(() => {
    const inside = holder.current;
    if (inside === null) return;
    const seen = new ResizeObserver(() => {
      const { current: made } = plot;
      // Ignore the first size that the observer reports, because the chart was drawn with this size.
      if (made && inside.clientWidth !== made.width) made.setSize({ width: inside.clientWidth, height: HEIGHT });
    });
    const removeTurn = turns.wait(() => {
      const options = plotOptions(newest, inside.clientWidth, (pointed) => point.current(pointed));
      plot.current = new uPlot(options, dataOf(newest.current), inside);
      seen.observe(inside);
    });
    return () => {
      removeTurn();
      seen.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [scheme, names]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new values come with new times
  useEffect(() => {
    plot.current?.setData(dataOf(newest.current));
  }, [at]);

  return <div ref={holder} aria-hidden className="w-full" style={{ height: HEIGHT }} />;
}

function dataOf({ at, lines }: Pick<ChartProps, 'at' | 'lines'>): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])];
}
