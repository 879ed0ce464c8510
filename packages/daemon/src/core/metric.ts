/** What apps and the machine used, as it was measured. */
import { type AppMetrics, appReference, type MachineMetrics, type MetricWindow, timestamp } from '@davit/api';
import type { OpContext } from '../context.ts';
import { CORES } from '../metrics/machine.ts';
import type { AppSample, MachineSample } from '../metrics/metrics.ts';
import type { AppTarget } from '../release/app-target.ts';
import { appLabels } from '../store/metric.ts';
import type { Core } from './core.ts';

interface Asked {
  window: MetricWindow;
}

export function readMetrics({ metrics }: Core, _ctx: OpContext, app: AppTarget, { window }: Asked): AppMetrics {
  const { stepS, samples } = metrics.app(app.id, window);
  return { window, step_s: stepS, samples: samples.map(({ at, sample }) => presentAppSample(at, sample)) };
}

export function readMachineMetrics({ metrics }: Core, _ctx: OpContext, { window }: Asked): MachineMetrics {
  const { stepS, samples } = metrics.machine(window);
  const presented = samples.map(({ at, sample }) => presentMachineSample(at, sample));
  return { window, step_s: stepS, cores: CORES, samples: presented };
}

/** @param at milliseconds since the epoch; a sample that is null is a gap */
export function presentAppSample(at: number, sample: AppSample | null): AppMetrics['samples'][number] {
  return {
    at: timestamp(at),
    cpu_percent: percent(sample?.cpuPercent),
    memory_bytes: whole(sample?.memoryBytes),
    memory_limit_bytes: whole(sample?.memoryLimitBytes),
    received_bytes_per_s: whole(sample?.receivedBytesPerS),
    sent_bytes_per_s: whole(sample?.sentBytesPerS),
    instances: sample?.instances ?? null,
  };
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

/** To a hundredth: what is behind it is noise. */
function percent(figure: number | undefined): number | null {
  return figure === undefined ? null : Math.round(figure * 100) / 100;
}

/** Tells those who follow measurements what each app uses, as it is measured. */
export function tellMetrics({ metrics, live, store }: Core): void {
  metrics.onSample(({ at, apps }) => {
    if (!live.wants('metric')) return;
    const labels = store.memo('app labels', () => appLabels(store));
    for (const { id, project_id: projectId, project, environment, app } of labels) {
      const sample = apps.get(id);
      if (sample === undefined) continue;
      const { memory_limit_bytes: _, ...figures } = presentAppSample(at, sample);
      const data = { ...figures, app: appReference(project, environment, app) };
      live.tell({ kind: 'metric', projectId, appId: id, deploymentId: null, event: { event: 'metric', data } });
    }
  });
}
