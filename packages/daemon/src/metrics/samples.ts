import type { AppSample, MachineSample } from './metrics.ts';

/** The columns of each history, in the order in which figures are handed to it. */
export const APP_SHAPE = ['mean', 'most', 'last', 'mean', 'mean', 'most'] as const;
export const MACHINE_SHAPE = ['mean', 'most', 'last', 'last', 'last', 'mean', 'mean', 'last'] as const;

/** What an app without instances uses, to be added to. */
export const NOTHING: AppSample = {
  cpuPercent: 0,
  memoryBytes: 0,
  memoryLimitBytes: 0,
  receivedBytesPerS: 0,
  sentBytesPerS: 0,
  instances: 0,
};

export function appFigures(sample: AppSample): number[] {
  const { cpuPercent, memoryBytes, memoryLimitBytes, receivedBytesPerS, sentBytesPerS, instances } = sample;
  return [cpuPercent, memoryBytes, memoryLimitBytes ?? Number.NaN, receivedBytesPerS, sentBytesPerS, instances];
}

export function appSampleOf([
  cpu = 0,
  memory = 0,
  limit = 0,
  received = 0,
  sent = 0,
  instances = 0,
]: number[]): AppSample {
  return {
    cpuPercent: cpu,
    memoryBytes: memory,
    memoryLimitBytes: Number.isNaN(limit) ? null : limit,
    receivedBytesPerS: received,
    sentBytesPerS: sent,
    instances,
  };
}

export function machineSampleOf(figures: number[]): MachineSample {
  const [cpu = 0, memory = 0, memoryTotal = 0, disk = 0, diskTotal = 0, received = 0, sent = 0, load = 0] = figures;
  return {
    cpuPercent: cpu,
    memoryBytes: memory,
    memoryTotalBytes: memoryTotal,
    diskBytes: disk,
    diskTotalBytes: diskTotal,
    receivedBytesPerS: received,
    sentBytesPerS: sent,
    load,
  };
}
