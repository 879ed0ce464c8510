import type uPlot from 'uplot';
import { dayAndWeekday, timeOfDay, weekdayAndTime } from '../../util/local-time.ts';
import { colourOf, type Tone } from './colours.ts';

export interface ChartLine {
  name: string;
  /**
   * Measured values, one for each time of the chart. `null` means no measurement and leaves a gap in the chart line.
   */
  values: readonly (number | null)[];
  tone: Tone;
  /** Whether the chart line is dashed, so that color-blind users can distinguish lines. */
  dashed?: boolean;
  filled?: boolean;
}

/** Event that a chart shows as a vertical line, for example a deployment. */
export interface ChartMarker {
  /** Time of the event in seconds since the epoch. */
  at: number;
  /** Name of the event in the legend, for example `failed deployment`. */
  kind: string;
  says: string;
  tone: Tone;
}

/**
 * Content of a chart. The chart reads this object each time it draws. New values therefore do not require a new chart.
 */
export interface Shown {
  from: number;
  to: number;
  lines: readonly ChartLine[];
  markers: readonly ChartMarker[];
  say: (value: number) => string;
  /**
   * Minimum for the upper end of the chart's value axis. Without a minimum, the lines of small values would look high.
   */
  least: number;
  /** Whether the values are bytes. The value axis then has labels at powers of two, such as `512 MiB`. */
  inBytes?: boolean;
}

/**
 * Measurement and marker under the mouse pointer in a chart. The measurement is an index. The marker is `null` if no
 * marker is near the pointer.
 */
export interface Pointed {
  index: number;
  marker: ChartMarker | null;
}

export const HEIGHT = 136;
const NEAR_PX = 7;
const DAY_S = 86_400;
/** Possible distances between the labels of a value axis with bytes. */
const BINARY_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

/** Formats seconds since the epoch as weekday and local time, such as `Sat 14:05`. */
export function exactly(seconds: number): string {
  return weekdayAndTime(seconds * 1_000);
}

/**
 * Formats seconds since the epoch for the time axis of a chart. The axis shows days if the chart covers more than two
 * days. Otherwise, the axis shows the time of day.
 */
export function momentOf(seconds: number, { from, to }: Pick<Shown, 'from' | 'to'>): string {
  return (to - from > 2 * DAY_S ? dayAndWeekday : timeOfDay)(seconds * 1_000);
}

export function plotOptions(
  shown: { readonly current: Shown },
  width: number,
  onPoint: (pointed: Pointed | null) => void,
): uPlot.Options {
  const { lines, inBytes = false } = shown.current;
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
      {
        ...axis,
        size: 58,
        space: 34,
        values: (_, at) => at.map((value) => shown.current.say(value)),
        ...(inBytes && { incrs: BINARY_STEPS }),
      },
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
    // Draw a dot for a measurement without neighbors, because a chart line needs at least two measurements.
    points: { size: 4, show: true, filter: (plot, series) => alone(plot.data[series] ?? []) },
  };
}

/**
 * Returns the indexes of isolated chart values. A value is isolated if the values directly before and after it are
 * missing.
 */
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
    drawTriangle(ctx, x, bbox.top, 4 * devicePixelRatio);
  }
  ctx.restore();
}

/** Draws a triangle that points down. The legend shows the same shape. Chart lines have no triangles. */
function drawTriangle(ctx: CanvasRenderingContext2D, x: number, top: number, half: number): void {
  ctx.beginPath();
  ctx.moveTo(x - half, top - half);
  ctx.lineTo(x + half, top - half);
  ctx.lineTo(x, top + half);
  ctx.closePath();
  ctx.fill();
}

function pointedAt(plot: uPlot, markers: readonly ChartMarker[]): Pointed | null {
  const { idx, left = -1 } = plot.cursor;
  if (idx == null || left < 0) return null;
  const distance = (marker: ChartMarker) => Math.abs(plot.valToPos(marker.at, 'x') - left);
  const [nearest] = markers.filter((one) => distance(one) <= NEAR_PX).sort((a, b) => distance(a) - distance(b));
  // All charts show the values at the time under the pointer. Only the chart under the pointer shows event markers.
  return { index: idx, marker: plot.over.matches(':hover') ? (nearest ?? null) : null };
}
