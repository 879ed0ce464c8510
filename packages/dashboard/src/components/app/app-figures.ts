import type { AppMetrics, MetricEvent } from '@davit/api';
import type { Used } from '../charts/used-charts.tsx';

/** Values of a chart line. `null` means that there is no measurement. */
type Values = (number | null)[];

interface Timeline {
  /** Times of the measurements in seconds since the epoch, ascending. */
  at: number[];
  from: number;
  to: number;
}

/** CPU, memory and network usage of an app's replicas over time. */
export interface Usage extends Used {
  limit: Values;
}

/** HTTP requests to an app over time. `clientErrors` and `serverErrors` are percentages of all requests. */
export interface Traffic extends Timeline {
  rate: Values;
  p50: Values;
  p95: Values;
  p99: Values;
  clientErrors: Values;
  serverErrors: Values;
}

type Sample = AppMetrics['samples'][number];

/**
 * Returns the resource usage of an app for a chart. Values that the server has stored come first. Newer values from
 * live events follow.
 */
export function usageOf({ samples, step_s: stepS }: AppMetrics, events: readonly MetricEvent[]): Usage {
  const limit = samples.findLast((one) => one.replicas !== null)?.memory_limit_bytes ?? null;
  const tail = tailOf(samples.at(-1)?.at, events, stepS).map(({ at, heard }): Sample => {
    return {
      at,
      cpu_percent: mean(heard.map((one) => one.cpu_percent)),
      memory_bytes: most(heard.map((one) => one.memory_bytes)),
      memory_limit_bytes: heard.length === 0 ? null : limit,
      received_bytes_per_s: mean(heard.map((one) => one.received_bytes_per_s)),
      sent_bytes_per_s: mean(heard.map((one) => one.sent_bytes_per_s)),
      replicas: most(heard.map((one) => one.replicas)),
    };
  });
  const all = [...samples, ...tail];
  return {
    ...timelineOf(all, samples.length * stepS),
    cpu: all.map((one) => one.cpu_percent),
    memory: all.map((one) => one.memory_bytes),
    limit: all.map((one) => one.memory_limit_bytes),
    received: all.map((one) => one.received_bytes_per_s),
    sent: all.map((one) => one.sent_bytes_per_s),
  };
}

/**
 * Returns the chart metrics of HTTP requests to an app. Values that the server has stored come first. Newer values from
 * live events follow.
 */
export function trafficOf({ traffic }: AppMetrics, events: readonly MetricEvent[]): Traffic {
  const { samples, step_s: stepS } = traffic;
  const tail = tailOf(samples.at(-1)?.at, events, stepS);
  // The API rounds `requests_per_s`. In a long time step, this field can be 0 although there were requests.
  const stored = samples.map((one) => ({
    ...one,
    requests_per_s: one.requests === null ? null : one.requests / stepS,
  }));
  const parts = [...stored.map((one) => [one]), ...tail.map(({ heard }) => heard)];
  // Live events do not contain the 50th and 99th percentiles of the response time.
  const unknown = tail.map(() => null);
  const errors = (share: 'client_error_share' | 'server_error_share') =>
    parts.map((part) => errorPercent(part.map((one) => [one.requests_per_s, percent(one[share])])));
  return {
    ...timelineOf([...samples, ...tail], samples.length * stepS),
    rate: parts.map((part) => mean(part.map((one) => one.requests_per_s))),
    p50: [...samples.map((one) => one.p50_ms), ...unknown],
    p95: parts.map((part) => most(part.map((one) => one.p95_ms))),
    p99: [...samples.map((one) => one.p99_ms), ...unknown],
    clientErrors: errors('client_error_share'),
    serverErrors: errors('server_error_share'),
  };
}

/**
 * Returns the error percentage of several periods together. A period with more requests counts more. Returns `null` if
 * there were no requests.
 */
function errorPercent(periods: readonly (readonly [rate: number | null, percent: number | null])[]): number | null {
  let [requests, errors] = [0, 0];
  for (const [rate, share] of periods) {
    if (rate === null || share === null) continue;
    requests += rate;
    errors += rate * share;
  }
  return requests === 0 ? null : errors / requests;
}

/**
 * Groups live measurements into the time steps of a chart. Only measurements that are newer than the last stored value
 * are used. A time step without measurements is a gap in the chart.
 */
function tailOf(after: string | undefined, events: readonly MetricEvent[], stepS: number) {
  const stepMs = stepS * 1_000;
  const begin = after === undefined ? 0 : Date.parse(after);
  const newer = events.filter(({ at }) => Date.parse(at) > begin);
  const newest = newer.at(-1);
  if (newest === undefined) return [];
  const endOf = (at: string) => Math.ceil(Date.parse(at) / stepMs) * stepMs;
  const first = after === undefined ? endOf(newer[0]?.at ?? newest.at) : begin + stepMs;
  const steps = Math.max(1, Math.round((endOf(newest.at) - first) / stepMs) + 1);
  return Array.from({ length: steps }, (_, n) => {
    const end = first + n * stepMs;
    /*
     * The last time step of the chart ends in the future. Therefore, use the time of the newest measurement for this
     * time step.
     */
    const at = n === steps - 1 ? newest.at : new Date(end).toISOString();
    return { at, heard: newer.filter((one) => endOf(one.at) === end) };
  });
}

function timelineOf(all: readonly { at: string }[], lengthS: number): Timeline {
  const at = all.map((one) => Date.parse(one.at) / 1_000);
  const to = at.at(-1) ?? 0;
  return { at, from: to - lengthS, to };
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function mean(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : all.reduce((sum, value) => sum + value, 0) / all.length;
}

function most(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : Math.max(...all);
}

function percent(share: number | null): number | null {
  return share === null ? null : share * 100;
}

/** Table row with average metrics of an app for one part of the chart's time window. All parts have the same length. */
export interface FigureRow {
  /** End of the period that this table row covers, in seconds since the epoch. */
  at: number;
  rate: number | null;
  p95: number | null;
  serverErrors: number | null;
  cpu: number | null;
  memory: number | null;
}

/**
 * Returns table rows with the metrics of the charts, newest row first. Each row covers an equal part of the chart's
 * time window.
 */
export function figureRows(usage: Usage, traffic: Traffic, rows: number): FigureRow[] {
  const { from, to } = usage;
  const length = (to - from) / rows;
  return Array.from({ length: rows }, (_, n) => {
    const end = to - n * length;
    const within = ({ at }: Timeline, values: Values) =>
      values.filter((_, k) => (at[k] ?? 0) > end - length && (at[k] ?? 0) <= end);
    const rates = within(traffic, traffic.rate);
    const serverErrors = within(traffic, traffic.serverErrors);
    return {
      at: end,
      rate: mean(rates),
      p95: most(within(traffic, traffic.p95)),
      serverErrors: errorPercent(rates.map((rate, k) => [rate, serverErrors[k] ?? null])),
      cpu: mean(within(usage, usage.cpu)),
      memory: most(within(usage, usage.memory)),
    };
  });
}
