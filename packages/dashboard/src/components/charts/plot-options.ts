import type uPlot from 'uplot';
import { colourOf, type Tone } from './colours.ts';

export interface ChartLine {
  name: string;
  /** One for each moment; null: nothing was measured, and the line has a gap. */
  values: readonly (number | null)[];
  tone: Tone;
  /** Told apart from the others by more than its colour. */
  dashed?: boolean;
  filled?: boolean;
}

/** Something that happened at a moment, as a line from top to bottom. */
export interface ChartMarker {
  /** Seconds since the epoch. */
  at: number;
  says: string;
  tone: Tone;
}

/** What a chart shows now: read at every drawing, so that new figures need no new chart. */
export interface Shown {
  from: number;
  to: number;
  lines: readonly ChartLine[];
  markers: readonly ChartMarker[];
  say: (value: number) => string;
  /** The scale reaches at least this far, so that little does not look like much. */
  least: number;
}

/** Where the pointer is: which moment, and which marker is beside it. */
export interface Pointed {
  index: number;
  marker: ChartMarker | null;
}

export const HEIGHT = 136;
const NEAR_PX = 7;
const DAY_S = 86_400;
const HOUR = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric' });

const EXACT = new Intl.DateTimeFormat('en', { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** «Sat 14:05». */
export function exactly(seconds: number): string {
  return EXACT.format(seconds * 1_000);
}

/** A moment of a chart: the time of day, or the day where several days are shown. */
export function momentOf(seconds: number, { from, to }: Pick<Shown, 'from' | 'to'>): string {
  const format = to - from > 2 * DAY_S ? DAY : HOUR;
  return format.format(seconds * 1_000);
}

export function plotOptions(
  shown: { readonly current: Shown },
  width: number,
  onPoint: (pointed: Pointed | null) => void,
): uPlot.Options {
  const { lines } = shown.current;
  const grid = { stroke: colourOf('line'), width: 1 };
  const axis = { stroke: colourOf('soft'), font: '11px system-ui, sans-serif', grid, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    padding: [10, 16, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'davit' }, drag: { x: false, y: false }, y: false, points: { size: 6 } },
    scales: {
      x: { time: true, range: () => [shown.current.from, shown.current.to] },
      y: { range: (_, __, most) => [0, Math.max(shown.current.least, (most ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        space: 56,
        values: (_, at) => at.map((s) => momentOf(s, shown.current)),
      },
      { ...axis, size: 58, space: 34, values: (_, at) => at.map((value) => shown.current.say(value)) },
    ],
    series: [{}, ...lines.map(seriesOf)],
    hooks: {
      draw: [(plot) => drawMarkers(plot, shown.current.markers)],
      setCursor: [(plot) => onPoint(pointedAt(plot, shown.current.markers))],
    },
  };
}

function seriesOf({ name, tone, dashed = false, filled = false }: ChartLine): uPlot.Series {
  const stroke = colourOf(tone);
  return {
    label: name,
    stroke,
    width: 1.5,
    ...(dashed && { dash: [4, 3] }),
    ...(filled && { fill: stroke.replace('rgb(', 'rgba(').replace(')', ', 0.1)') }),
    // A measurement between two gaps has no line to be seen by.
    points: { size: 4, show: true, filter: (plot, series) => alone(plot.data[series] ?? []) },
  };
}

/** The measurements that have nothing before and nothing after them. */
export function alone(values: ArrayLike<number | null | undefined>): number[] {
  const found: number[] = [];
  for (let n = 0; n < values.length; n += 1) {
    if (values[n] != null && values[n - 1] == null && values[n + 1] == null) found.push(n);
  }
  return found;
}

function drawMarkers(plot: uPlot, markers: readonly ChartMarker[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([]);
  for (const { at, tone } of markers) {
    const x = Math.round(plot.valToPos(at, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colourOf(tone);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x, bbox.top, 3 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

function pointedAt(plot: uPlot, markers: readonly ChartMarker[]): Pointed | null {
  const { idx, left = -1 } = plot.cursor;
  if (idx == null || left < 0) return null;
  const distance = (marker: ChartMarker) => Math.abs(plot.valToPos(marker.at, 'x') - left);
  const [nearest] = markers.filter((one) => distance(one) <= NEAR_PX).sort((a, b) => distance(a) - distance(b));
  // Every chart shows the same moment; what happened then is said in the one that is pointed at.
  return { index: idx, marker: plot.over.matches(':hover') ? (nearest ?? null) : null };
}
