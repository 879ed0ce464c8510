/** Prometheus metrics of the instance, in the text format of Prometheus. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, isTerminal } from '@davit/api';
import { removeMisnamedMetrics } from '@davit/service';
import type { CounterConfiguration, Gauge, GaugeConfiguration, Registry } from 'prom-client';
import { diskUse } from '../../adapters/engine/disk-use.ts';
import type { DiskUse } from '../../adapters/engine/volume.ts';
import { appLabels, countOpenDeployments, instanceCounts } from '../../db/tables/metric.ts';
import type { MetricsDeps } from './deps.ts';
import type { Metrics } from './metrics.ts';
import { type Counted, DURATIONS_S, type RequestCounts } from './requests.ts';
import type { Traffic } from './traffic.ts';
import { trafficMetrics } from './traffic-exposition.ts';

type Prom = typeof import('prom-client');

export interface ExpositionParts extends Pick<MetricsDeps, 'store' | 'facts' | 'engine' | 'engineSight'> {
  metrics: Metrics;
  traffic: Traffic;
  requests: RequestCounts;
  streams: () => number;
}

export interface Exposition {
  text(): Promise<string>;
  contentType(): string;
}

/**
 * Creates the API endpoint for Prometheus metrics. The Prometheus library is loaded at the first request, so that an
 * instance without monitoring uses less memory.
 */
export function createExposition(parts: ExpositionParts): Exposition {
  const ended = new Map<string, number>();
  parts.store.onEvent(({ kind, data }) => {
    if (kind !== 'deployment' || !isTerminal(data.status)) return;
    ended.set(data.status, (ended.get(data.status) ?? 0) + 1);
  });
  let registry: Promise<Registry> | null = null;
  let contentType = 'text/plain';
  return {
    async text() {
      registry ??= import('prom-client').then((prom) => registryOf(prom, parts, ended));
      const found = await registry;
      contentType = found.contentType;
      return found.metrics();
    },
    contentType: () => contentType,
  };
}

function registryOf(prom: Prom, parts: ExpositionParts, ended: ReadonlyMap<string, number>): Registry {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  removeMisnamedMetrics(registry);
  const registers = [registry];
  const gauge = <L extends string>(configuration: Omit<GaugeConfiguration<L>, 'registers'>) =>
    new prom.Gauge<L>({ ...configuration, registers });
  const counter = <L extends string>(configuration: Omit<CounterConfiguration<L>, 'registers'>) =>
    new prom.Counter<L>({ ...configuration, registers });
  processMetrics(registry, counter);
  instanceMetrics(parts, gauge);
  storeMetrics(parts, ended, gauge, counter);
  appMetrics(parts, gauge, counter);
  trafficMetrics(prom, registry, parts);
  requestMetrics(prom, registry, parts.requests);
  return registry;
}

type MakeGauge = <L extends string>(configuration: Omit<GaugeConfiguration<L>, 'registers'>) => Gauge<L>;
type MakeCounter = <L extends string>(
  configuration: Omit<CounterConfiguration<L>, 'registers'>,
) => InstanceType<Prom['Counter']>;

/**
 * Replaces the CPU time metrics of the Prometheus library. The library measures CPU time from the first scrape, but
 * these metrics measure it from the start of the process.
 */
function processMetrics(registry: Registry, counter: MakeCounter): void {
  const time = (name: string, help: string, microseconds: (usage: NodeJS.CpuUsage) => number) => {
    registry.removeSingleMetric(name);
    counter({
      name,
      help,
      collect() {
        this.reset();
        this.inc(microseconds(process.cpuUsage()) / 1e6);
      },
    });
  };
  time('process_cpu_seconds_total', 'CPU time of the process, in seconds.', ({ user, system }) => user + system);
  time('process_cpu_user_seconds_total', 'CPU time of the process in user mode, in seconds.', ({ user }) => user);
  time(
    'process_cpu_system_seconds_total',
    'CPU time of the process in kernel mode, in seconds.',
    ({ system }) => system,
  );
}

function instanceMetrics({ facts, engine, engineSight, streams }: ExpositionParts, gauge: MakeGauge): void {
  const info = {
    name: 'davit_info',
    help: 'Version, container engine and ID of the instance as labels. The value of this metric is always 1.',
    labelNames: ['version', 'engine', 'id'] as const,
  };
  gauge<'version' | 'engine' | 'id'>({ ...info, labelNames: [...info.labelNames] }).set(
    { version: facts.version, engine: engine.kind, id: facts.id },
    1,
  );
  gauge({
    name: 'davit_engine_up',
    help: 'State of Docker: 1 if Docker answered the last check, otherwise 0.',
    collect() {
      this.set(engineSight().available ? 1 : 0);
    },
  });
  gauge({
    name: 'davit_event_streams_open',
    help: 'Number of open event streams.',
    collect() {
      this.set(streams());
    },
  });
  gauge({
    name: 'davit_database_size_bytes',
    help: 'Size of the database file and its journal, in bytes.',
    collect() {
      const file = join(facts.dataDir, 'davit.db');
      this.set(sizeOf(file) + sizeOf(`${file}-wal`));
    },
  });
  const disk = (name: string, help: string, bytesOf: (use: DiskUse) => number) =>
    gauge({
      name,
      help,
      async collect() {
        this.set(bytesOf(await diskUse(facts.dataDir)));
      },
    });
  disk(
    'davit_disk_size_bytes',
    'Size of the file system of the data directory without the blocks that are reserved for root, in bytes.',
    ({ totalBytes }) => totalBytes,
  );
  disk(
    'davit_disk_available_bytes',
    'Free space on the file system of the data directory, in bytes.',
    ({ freeBytes }) => freeBytes,
  );
}

function storeMetrics(
  { store }: ExpositionParts,
  ended: ReadonlyMap<string, number>,
  gauge: MakeGauge,
  counter: MakeCounter,
): void {
  counter({
    name: 'davit_deployments_total',
    help: 'Number of deployments that have ended since the start of the process.',
    labelNames: ['status'],
    collect() {
      this.reset();
      for (const status of ['succeeded', 'failed', 'cancelled', 'skipped'])
        this.inc({ status }, ended.get(status) ?? 0);
    },
  });
  gauge({
    name: 'davit_deployments_open',
    help: 'Number of deployments that have not ended.',
    labelNames: ['status'],
    collect() {
      this.reset();
      for (const status of ['pending', 'running']) this.set({ status }, 0);
      for (const { status, count } of countOpenDeployments(store)) this.set({ status }, count);
    },
  });
  gauge({
    name: 'davit_replicas',
    help: 'Number of replicas of all apps, by role (starting, active or draining) and by last known state of the container.',
    labelNames: ['role', 'state'],
    collect() {
      this.reset();
      for (const { role, observed, count } of instanceCounts(store)) this.set({ role, state: observed }, count);
    },
  });
}

const APP = ['project', 'environment', 'app'] as const;

function appMetrics({ store, metrics }: ExpositionParts, gauge: MakeGauge, counter: MakeCounter): void {
  const labelNames = [...APP];
  /** Calls a function for each app that was measured, with the Prometheus labels of the app. */
  const each = <T>(figures: ReadonlyMap<number, T>, use: (labels: Record<string, string>, figure: T) => void) => {
    for (const { id, project, environment, app } of store.memo('app labels', () => appLabels(store))) {
      const figure = figures.get(id);
      if (figure !== undefined) use({ project, environment, app }, figure);
    }
  };
  const total = (name: string, help: string, field: 'cpuS' | 'receivedBytes' | 'sentBytes') =>
    counter({
      name,
      help,
      labelNames,
      collect() {
        this.reset();
        each(metrics.totals(), (labels, figure) => this.inc(labels, figure[field]));
      },
    });
  const now = (name: string, help: string, field: 'memoryBytes' | 'memoryLimitBytes' | 'replicas') =>
    gauge({
      name,
      help,
      labelNames,
      collect() {
        this.reset();
        each(metrics.latest(), (labels, { [field]: figure }) => figure !== null && this.set(labels, figure));
      },
    });
  total('davit_app_cpu_seconds_total', 'CPU time of the replicas of an app, in seconds.', 'cpuS');
  total('davit_app_network_receive_bytes_total', 'Bytes that the replicas of an app received.', 'receivedBytes');
  total('davit_app_network_transmit_bytes_total', 'Bytes that the replicas of an app sent.', 'sentBytes');
  now(
    'davit_app_memory_bytes',
    'Memory use of the replicas of an app, in bytes. The page cache is not included.',
    'memoryBytes',
  );
  now('davit_app_memory_limit_bytes', 'Memory limit of all replicas of an app together, in bytes.', 'memoryLimitBytes');
  now('davit_app_replicas', 'Number of replicas that Davit collects metrics from, per app.', 'replicas');
}

/**
 * Adds the metrics of API requests. Davit counts the requests without the Prometheus library, because the library would
 * need more CPU time than a typical request.
 */
function requestMetrics(prom: Prom, registry: Registry, requests: RequestCounts): void {
  const names = new Map(allOperations.map(({ id, method, path }) => [`${method} /api${path}`, id]));
  const nameOf = (of: Counted | null) => {
    const route = of === null ? 'none' : `${of.method} ${of.path}`;
    return names.get(route) ?? route;
  };
  const labelNames = ['operation', 'status'];
  new prom.Counter({
    name: 'davit_http_requests_total',
    help: 'Number of requests to the daemon, by API operation or route, and by status class such as 2xx.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, status, count } of requests.entries()) this.inc({ operation: nameOf(of), status }, count);
    },
  });
  const name = 'davit_http_request_duration_seconds';
  const help = 'Time from the arrival of a request to the response headers, in seconds.';
  const durations = new prom.Histogram({ name, help, labelNames, registers: [registry] });
  const values = () =>
    [...requests.entries()].flatMap(({ of, status, count, seconds, within }) => {
      const labels = { operation: nameOf(of), status };
      const value = (suffix: string, figure: number, more = {}) => ({
        metricName: `${name}_${suffix}`,
        labels: { ...labels, ...more },
        value: figure,
      });
      const buckets = within.map((figure, kind) => value('bucket', figure, { le: DURATIONS_S[kind] }));
      return [...buckets, value('bucket', count, { le: '+Inf' }), value('sum', seconds), value('count', count)];
    });
  // Replace the method that the Prometheus library calls when it writes a histogram as text.
  Object.assign(durations, { getForPromString: async () => ({ name, help, type: 'histogram', values: values() }) });
}

/**
 * Returns the size of a file in bytes. Returns 0 if the file does not exist, because SQLite often deletes its journal
 * file.
 */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
