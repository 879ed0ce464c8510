/**
 * Prometheus metrics of the requests to apps. There are about twenty metrics for each app that has received requests.
 */
import type { Registry } from 'prom-client';
import { appLabels } from '../../db/tables/metric.ts';
import type { MetricsDeps } from './deps.ts';
import { ANSWERS_S, type Traffic, type TrafficTotals } from './traffic.ts';

type Prom = typeof import('prom-client');

const APP = ['project', 'environment', 'app'];
const CLASSES = [1, 2, 3, 4, 5];

/**
 * Adds the metrics of requests to apps to the Prometheus registry. Davit counts the requests without the counters of
 * the `prom-client` library.
 */
export function trafficMetrics(
  prom: Prom,
  registry: Registry,
  { store, traffic }: Pick<MetricsDeps, 'store'> & { traffic: Traffic },
): void {
  const registers = [registry];
  const each = function* (): Generator<[labels: Record<string, string>, totals: TrafficTotals]> {
    const all = traffic.totals();
    for (const { id, project, environment, app } of store.memo('app labels', () => appLabels(store))) {
      const totals = all.get(id);
      if (totals !== undefined) yield [{ project, environment, app }, totals];
    }
  };
  new prom.Counter({
    name: 'davit_app_requests_total',
    help: 'Number of requests to an app through the proxy, by class of the HTTP status code (label status, for example 2xx).',
    labelNames: [...APP, 'status'],
    registers,
    collect() {
      this.reset();
      for (const [labels, { byClass }] of each())
        for (const digit of CLASSES) this.inc({ ...labels, status: `${digit}xx` }, byClass[digit]);
    },
  });
  new prom.Counter({
    name: 'davit_app_requests_missed_total',
    help: 'Number of requests to an app that the other request metrics do not count. The log lines of these requests were lost while the daemon was stopped or the proxy reloaded.',
    labelNames: APP,
    registers,
    collect() {
      this.reset();
      for (const [labels, { missedMost }] of each()) this.inc(labels, missedMost);
    },
  });
  const name = 'davit_app_request_duration_seconds';
  const help = 'Time from the arrival of a request to the response headers of the app, in seconds.';
  const durations = new prom.Histogram({ name, help, labelNames: APP, registers });
  const values = () => [...each()].flatMap(([labels, totals]) => seriesOf(name, labels, totals));
  // Replace the method that the Prometheus library calls when it writes a histogram as text.
  Object.assign(durations, { getForPromString: async () => ({ name, help, type: 'histogram', values: values() }) });
}

function seriesOf(name: string, labels: Record<string, string>, { within, seconds }: TrafficTotals) {
  const value = (suffix: string, figure: number, more = {}) => ({
    metricName: `${name}_${suffix}`,
    labels: { ...labels, ...more },
    value: figure,
  });
  let sum = 0;
  const buckets = Array.from(within, (count, kind) => {
    sum += count;
    return value('bucket', sum, { le: ANSWERS_S[kind] ?? '+Inf' });
  });
  return [...buckets, value('sum', seconds), value('count', sum)];
}
