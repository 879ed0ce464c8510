import { removeMisnamedMetrics } from '@davit/service';
import type { Gauge, Registry } from 'prom-client';
import type { CatalogReader, PassReport } from '../store/types.ts';
import { VERSION } from '../version.ts';
import type { Answers } from './answers.ts';
import type { RequestCounts } from './request-counts.ts';

type Prom = typeof import('prom-client');

export interface ExpositionParts {
  reader: CatalogReader;
  answers: Answers;
  counts: RequestCounts;
  /** Returns the number of finished indexing runs. */
  passes: () => number;
}

/** Metrics of the catalog in the text format of Prometheus. */
export interface Exposition {
  read(): Promise<{ type: string; body: string }>;
}

/** Creates the metrics of the catalog. The Prometheus library is loaded at the first request for metrics. */
export function createExposition(parts: ExpositionParts): Exposition {
  let registry: Promise<Registry> | null = null;
  return {
    async read() {
      registry ??= import('prom-client').then((prom) => registryOf(prom, parts));
      const found = await registry;
      return { type: found.contentType, body: await found.metrics() };
    },
  };
}

function registryOf(prom: Prom, parts: ExpositionParts): Registry {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  removeMisnamedMetrics(registry);
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number | null) =>
    new prom.Gauge({ name, help, registers, collect: fill(value) });
  new prom.Gauge({
    name: 'davit_catalog_info',
    help: 'Version and settings of the catalog.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  indexMetrics(parts.reader, gauge);
  requestMetrics(prom, registry, parts);
  return registry;
}

type MakeGauge = (name: string, help: string, value: () => number | null) => Gauge;

function indexMetrics(reader: CatalogReader, gauge: MakeGauge): void {
  const known = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch {
      /*
       * If the catalog database cannot be read, this Prometheus gauge has no value. The response then does not contain
       * the gauge.
       */
      return null;
    }
  };
  const pass = (of: (report: PassReport) => number) => () =>
    known(() => {
      const report = reader.lastPass();
      return report && of(report);
    });
  gauge('davit_catalog_index', 'Version number of the index that the catalog serves.', () =>
    known(() => reader.index()),
  );
  gauge('davit_catalog_templates', 'Number of listed templates.', () => known(() => reader.count()));
  gauge(
    'davit_catalog_last_pass_timestamp_seconds',
    'End of the last indexing run, as a Unix timestamp in seconds.',
    pass(({ finishedAt }) => Date.parse(finishedAt) / 1000),
  );
  gauge('davit_catalog_last_pass_seconds', 'Duration of the last indexing run, in seconds.', pass(secondsOf));
  gauge(
    'davit_catalog_last_pass_failed_releases',
    'Number of releases that the last indexing run could not read.',
    pass(({ failed }) => failed),
  );
  gauge(
    'davit_catalog_last_pass_ok',
    'Whether the last indexing run was complete: 1 or 0.',
    pass(({ error }) => (error === null ? 1 : 0)),
  );
}

function secondsOf({ startedAt, finishedAt }: PassReport): number {
  return (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
}

function requestMetrics(prom: Prom, registry: Registry, { answers, counts, passes }: ExpositionParts): void {
  const registers = [registry];
  new prom.Counter({
    name: 'davit_catalog_requests_total',
    help: 'Number of requests to the API, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { operation, status, count } of counts.values()) this.inc({ operation, status }, count);
    },
  });
  new prom.Counter({
    name: 'davit_catalog_answers_total',
    help: 'Number of responses. The label “kept” has the value “yes” if the response came from the cache.',
    labelNames: ['kept'],
    registers,
    collect() {
      this.reset();
      this.inc({ kept: 'yes' }, answers.hits);
      this.inc({ kept: 'no' }, answers.misses);
    },
  });
  new prom.Counter({
    name: 'davit_catalog_passes_total',
    help: 'Number of finished indexing runs.',
    registers,
    collect() {
      this.reset();
      this.inc(passes());
    },
  });
}

function fill(value: () => number | null): (this: Gauge) => void {
  return function collect() {
    const now = value();
    if (now === null) this.remove();
    else this.set(now);
  };
}
