import { Suspense, useState } from 'react';
import { usePainted } from '../../util/painted.ts';
import { lazyPart } from '../../util/part.ts';
import type { Tone } from './colours.ts';
import { type ChartLine, exactly, HEIGHT, type Pointed, type Shown } from './plot-options.ts';
import { absentShare, newestOf, summaryOf } from './summary.ts';

/**
 * React component that draws a chart. The browser loads the code of this component after the first paint of a page with
 * a chart.
 */
const Chart = lazyPart(() => import('./chart.tsx').then((file) => file.Chart));

/** Empty element with the height of a chart, so that the page does not move when the chart appears. */
const EMPTY = <div style={{ height: HEIGHT }} />;

export const TEXT: Record<Tone, string> = {
  accent: 'text-accent',
  good: 'text-good',
  warning: 'text-warning',
  error: 'text-error',
  text: 'text-text',
  soft: 'text-soft',
  line: 'text-line',
  panel: 'text-panel',
};

export interface LineChartProps extends Omit<Shown, 'markers'> {
  title: string;
  /** Times of the measurements in seconds since the epoch, ascending. */
  at: readonly number[];
  markers?: Shown['markers'];
  /** Request rates at the times of the chart, if the lines show shares of the requests. */
  requests?: ChartLine['values'] | undefined;
}

/**
 * Renders a chart with a title and values. If the mouse pointer is over the chart, the values at the time under the
 * pointer are shown. Otherwise, the newest values are shown.
 */
export function LineChart({ title, at, markers = [], requests, ...shown }: LineChartProps) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const { lines, say } = shown;
  const isPainted = usePainted();
  const valueOf = (line: ChartLine) => (pointed ? (line.values[pointed.index] ?? null) : newestOf(line, at, requests));
  const absent = requests ? absentShare(requests, at, pointed?.index) : '–';
  return (
    <figure className="flex min-w-0 flex-col rounded-xl border border-line bg-panel p-3 pt-2.5 shadow-panel">
      <figcaption className="mb-1 flex min-h-11 flex-1 flex-wrap content-start items-baseline justify-between gap-x-3 text-sm">
        <h3 className="text-sm">{title}</h3>
        <span className="text-xs text-soft tabular-nums" aria-hidden>
          {pointed ? exactly(at[pointed.index] ?? 0) : ''}
        </span>
        <span className="flex w-full flex-wrap gap-x-2.5 text-xs tabular-nums" aria-hidden>
          {lines.map((line) => (
            <Legend key={line.name} line={line} value={valueOf(line)} say={say} absent={absent} />
          ))}
        </span>
        <span className="sr-only">
          {isPainted && lines.map((line) => summaryOf(line, at, say, requests)).join(' ')}
        </span>
      </figcaption>
      <div className="relative">
        {isPainted ? (
          <Suspense fallback={EMPTY}>
            <Chart {...shown} at={at} markers={markers} onPoint={setPointed} />
          </Suspense>
        ) : (
          EMPTY
        )}
        {pointed?.marker && (
          <div className="pointer-events-none absolute inset-x-0 top-3 z-10 flex justify-center">
            <span className="rounded bg-text px-2 py-1 text-xs text-ground shadow-float">{pointed.marker.says}</span>
          </div>
        )}
      </div>
    </figure>
  );
}

function Legend({
  line,
  value,
  say,
  absent,
}: {
  line: ChartLine;
  value: number | null;
  say: (value: number) => string;
  /** Text for a missing value. */
  absent: string;
}) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        className={`w-4 border-t-2 ${line.dashed ? 'border-dashed' : ''} border-current ${TEXT[line.tone]}`}
        aria-hidden
      />
      <span className="text-soft">{line.name}</span>
      <span className="font-medium">{value === null ? absent : say(value)}</span>
    </span>
  );
}
