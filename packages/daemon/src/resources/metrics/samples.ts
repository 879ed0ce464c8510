import type { AppSample, MachineSample } from './metrics.ts';
import type { CounterGrowth } from './rates.ts';
import { CORES, type MachineReading } from './server-usage.ts';

/**
 * Rules for combining the measurements of an app in one time step, for example the mean or the maximum. There is one
 * rule for each value.
 */
export const APP_SHAPE = ['mean', 'most', 'last', 'mean', 'mean', 'most'] as const;
export const MACHINE_SHAPE = ['mean', 'most', 'last', 'last', 'last', 'mean', 'mean', 'last'] as const;

export const NOTHING: AppSample = {
  cpuPercent: 0,
  memoryBytes: 0,
  memoryLimitBytes: 0,
  receivedBytesPerS: 0,
  sentBytesPerS: 0,
  replicas: 0,
};

export function appFigures(sample: AppSample): number[] {
  const { cpuPercent, memoryBytes, memoryLimitBytes, receivedBytesPerS, sentBytesPerS, replicas } = sample;
  return [cpuPercent, memoryBytes, memoryLimitBytes ?? Number.NaN, receivedBytesPerS, sentBytesPerS, replicas];
}

export function appSampleOf([
  cpu = 0,
  memory = 0,
  limit = 0,
  received = 0,
  sent = 0,
  replicas = 0,
]: number[]): AppSample {
  return {
    cpuPercent: cpu,
    memoryBytes: memory,
    memoryLimitBytes: Number.isNaN(limit) ? null : limit,
    receivedBytesPerS: received,
    sentBytesPerS: sent,
    replicas,
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

/**
 * Calculates the server's resource usage. CPU and network usage are calculated from the increase of counters. All other
 * values are current values.
 */
export function machineFigures(reading: MachineReading, growth: CounterGrowth): number[] {
  const [busy = 0, all = 0, received = 0, sent = 0] = growth.counts;
  const { memoryBytes, memoryTotalBytes, diskBytes, diskTotalBytes, load } = reading;
  const cpuPercent = all === 0 ? 0 : (busy / all) * CORES * 100;
  const disk = [memoryBytes, memoryTotalBytes, diskBytes, diskTotalBytes];
  return [cpuPercent, ...disk, received / growth.seconds, sent / growth.seconds, load];
}
