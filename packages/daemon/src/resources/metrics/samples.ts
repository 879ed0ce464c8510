import type { AppSample, MachineSample } from './metrics.ts';
import type { CounterGrowth } from './rates.ts';
import { CORES, type MachineReading } from './server-usage.ts';

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

/** The figures of a step, from what the machine says now and how much its counters went up. */
export function machineFigures(reading: MachineReading, growth: CounterGrowth): number[] {
  const [busy = 0, all = 0, received = 0, sent = 0] = growth.counts;
  const { memoryBytes, memoryTotalBytes, diskBytes, diskTotalBytes, load } = reading;
  const cpuPercent = all === 0 ? 0 : (busy / all) * CORES * 100;
  const disk = [memoryBytes, memoryTotalBytes, diskBytes, diskTotalBytes];
  return [cpuPercent, ...disk, received / growth.seconds, sent / growth.seconds, load];
}
