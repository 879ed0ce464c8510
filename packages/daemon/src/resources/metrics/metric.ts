/** API functions for the resource usage of apps and of the server. */
import {
  type AppMetrics,
  appReference,
  type MachineMetrics,
  METRIC_WINDOWS,
  type MetricWindow,
  type TrafficSample,
  timestamp,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { diskFigure } from '../../authorization/disk-figures.ts';
import { appLabels } from '../../db/tables/metric.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import type { MetricsDeps } from './deps.ts';
import type { AppSample, MachineSample } from './metrics.ts';
import { CORES } from './server-usage.ts';
import type { AppTraffic } from './traffic-step.ts';

const LATEST_STEP_S = METRIC_WINDOWS['1h'].stepS;

interface MetricsQuery {
  window: MetricWindow;
}

export function readMetrics(core: MetricsDeps, _ctx: OpContext, app: AppTarget, { window }: MetricsQuery): AppMetrics {
  const { metrics, traffic } = core;
  const { stepS, samples } = metrics.app(app.id, window);
  const history = traffic.app(app.id, window);
  return {
    window,
    step_s: stepS,
    samples: samples.map(({ at, sample }) => presentAppSample(at, sample)),
    traffic: {
      step_s: history.stepS,
      samples: history.steps.map(({ at, traffic }) => presentTraffic(at, history.stepS, traffic)),
    },
  };
}

export function readMachineMetrics(
  { metrics }: MetricsDeps,
  { actor }: OpContext,
  { window }: MetricsQuery,
): MachineMetrics {
  const { stepS, samples } = metrics.machine(window);
  const presented = samples.map(({ at, sample }) => machineSampleFor(actor, presentMachineSample(at, sample)));
  return { window, step_s: stepS, cores: CORES, samples: presented };
}

/**
 * Converts a measurement of an app to the API format.
 * @param at time of the measurement, in milliseconds since the epoch
 * @param sample `null` if Davit did not measure at this time
 */
export function presentAppSample(at: number, sample: AppSample | null): AppMetrics['samples'][number] {
  return {
    at: timestamp(at),
    cpu_percent: percent(sample?.cpuPercent),
    memory_bytes: whole(sample?.memoryBytes),
    memory_limit_bytes: whole(sample?.memoryLimitBytes),
    received_bytes_per_s: whole(sample?.receivedBytesPerS),
    sent_bytes_per_s: whole(sample?.sentBytesPerS),
    replicas: sample?.replicas ?? null,
  };
}

function figuresOf(sample: AppSample) {
  return {
    cpu_percent: rounded(sample.cpuPercent, 2),
    memory_bytes: Math.round(sample.memoryBytes),
    received_bytes_per_s: Math.round(sample.receivedBytesPerS),
    sent_bytes_per_s: Math.round(sample.sentBytesPerS),
    replicas: sample.replicas,
  };
}

/**
 * Converts the HTTP traffic of one time step to the API format.
 * @param traffic `null` if Davit did not count requests in this time step
 */
export function presentTraffic(at: number, stepS: number, traffic: AppTraffic | null): TrafficSample {
  const { requests = null, missed = null, told: logged = 0, sampled = 0, bytes = 0 } = traffic ?? {};
  const factor = sampled === 0 || logged === 0 || requests === null ? 1 : Math.max(1, requests / logged);
  const shareOf = (errors = 0) => (logged === 0 ? null : rounded(errors / logged, 4));
  const took = (share: number) => whole(traffic?.durations.quantile(share));
  return {
    at: timestamp(at),
    requests,
    requests_per_s: requests === null ? null : rounded(requests / stepS, 2),
    client_error_share: shareOf(traffic?.clientErrors),
    server_error_share: shareOf(traffic?.serverErrors),
    p50_ms: took(0.5),
    p95_ms: took(0.95),
    p99_ms: took(0.99),
    sent_bytes_per_s: traffic === null ? null : Math.round((bytes * factor) / stepS),
    missed,
    sampled: sampled > 0,
    sample_factor: traffic === null ? null : rounded(factor, 2),
  };
}

/** Returns the resource usage of the server. Disk usage is included only if the user may see it. */
export function machineSampleFor<S extends Pick<MachineMetrics['samples'][number], 'disk_bytes' | 'disk_total_bytes'>>(
  actor: Pick<OpContext['actor'], 'projects'>,
  sample: S,
): S {
  return { ...sample, disk_bytes: diskFigure(actor, sample.disk_bytes, sample.disk_total_bytes) };
}

function presentMachineSample(at: number, sample: MachineSample | null): MachineMetrics['samples'][number] {
  return {
    at: timestamp(at),
    cpu_percent: percent(sample?.cpuPercent),
    memory_bytes: whole(sample?.memoryBytes),
    memory_total_bytes: whole(sample?.memoryTotalBytes),
    disk_bytes: whole(sample?.diskBytes),
    disk_total_bytes: whole(sample?.diskTotalBytes),
    received_bytes_per_s: whole(sample?.receivedBytesPerS),
    sent_bytes_per_s: whole(sample?.sentBytesPerS),
    load: percent(sample?.load),
  };
}

function whole(figure: number | null | undefined): number | null {
  return figure === null || figure === undefined ? null : Math.round(figure);
}

function percent(figure: number | undefined): number | null {
  return figure === undefined ? null : rounded(figure, 2);
}

function rounded(figure: number, digits: number): number {
  return Math.round(figure * 10 ** digits) / 10 ** digits;
}

/**
 * Receiver of live events. The function `wants` returns whether at least one client receives events of the kind
 * `metric` or `machine`.
 */
export interface LiveSink {
  wants(kind: 'metric' | 'machine'): boolean;
  tell(told: {
    kind: 'metric' | 'machine';
    projectId: number | null;
    appId: number | null;
    deploymentId: null;
    event: LiveEvent;
  }): void;
}

/** After each measurement of the apps, publishes an event with the resource usage of each app. */
export function publishMetrics({ metrics, traffic, store }: MetricsDeps, live: LiveSink): void {
  metrics.onSample(({ at, apps }) => {
    if (!live.wants('metric')) return;
    const labels = store.memo('app labels', () => appLabels(store));
    for (const { id, project_id: projectId, project, environment, app } of labels) {
      const sample = apps.get(id);
      if (sample === undefined) continue;
      const { requests_per_s, client_error_share, server_error_share, p95_ms } = presentTraffic(
        at,
        LATEST_STEP_S,
        traffic.latest(id),
      );
      const trafficFigures = { requests_per_s, client_error_share, server_error_share, p95_ms };
      const data = {
        at: timestamp(at),
        ...figuresOf(sample),
        ...trafficFigures,
        app: appReference(project, environment, app),
      };
      live.tell({ kind: 'metric', projectId, appId: id, deploymentId: null, event: { event: 'metric', data } });
    }
  });
}

/** After each measurement of the server, publishes an event with the resource usage and the state of the instance. */
export function publishMachine({ metrics, engineSight, disk, warnings }: MetricsDeps, live: LiveSink): void {
  metrics.onMachine((at, sample) => {
    if (!live.wants('machine')) return;
    const data = {
      ...presentMachineSample(at, sample),
      engine_available: engineSight().available,
      disk_state: disk()?.state ?? null,
      warnings: warnings(null).length,
    };
    live.tell({ kind: 'machine', projectId: null, appId: null, deploymentId: null, event: { event: 'machine', data } });
  });
}
