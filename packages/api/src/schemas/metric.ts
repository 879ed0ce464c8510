import { z } from 'zod';
import { Timestamp } from './common.ts';

/** What can be looked back over, with the length of its steps unless instances are measured more rarely. */
export const METRIC_WINDOWS = {
  '1h': { steps: 360, stepS: 10 },
  '6h': { steps: 360, stepS: 60 },
  '24h': { steps: 288, stepS: 300 },
  '7d': { steps: 336, stepS: 1_800 },
} as const;
export type MetricWindow = keyof typeof METRIC_WINDOWS;

export const MetricWindowName = z.enum(
  Object.keys(METRIC_WINDOWS) as [MetricWindow, ...MetricWindow[]],
  'must be one of 1h, 6h, 24h, 7d',
);

const At = Timestamp.describe('The end of the step.');
const gap = 'null where nothing was measured';
const figure = (what: string) => z.number().nullable().describe(`${what}; ${gap}.`);
const bytes = (what: string) => z.int().nullable().describe(`${what}; ${gap}.`);

const common = {
  at: At,
  cpu_percent: figure('The mean over the step; 100 is one core'),
  memory_bytes: bytes('The most in the step, without the page cache'),
};
const network = {
  received_bytes_per_s: figure('The mean over the step'),
  sent_bytes_per_s: figure('The mean over the step'),
};

/** What the instances of an app used together. */
export const AppSample = z
  .object({
    ...common,
    memory_limit_bytes: bytes('Of all instances together; null too where one has none'),
    ...network,
    instances: z
      .int()
      .nullable()
      .describe(`The most that were measured at once, those of a release that goes included; ${gap}.`),
  })
  .meta({ id: 'MetricSample' });
export type AppSample = z.infer<typeof AppSample>;

/** What the machine that the daemon is on used. */
export const MachineSample = z
  .object({
    ...common,
    memory_total_bytes: bytes('What the machine has'),
    disk_bytes: bytes('Taken on the file system of the data directory'),
    disk_total_bytes: bytes('Its size'),
    ...network,
    load: figure('Processes that run or want to, the mean of the last minute'),
  })
  .meta({ id: 'MachineMetricSample' });
export type MachineSample = z.infer<typeof MachineSample>;

const series = {
  window: MetricWindowName,
  step_s: z.int().describe('The length of a step.'),
};
const everyStep = 'One for each step of the window, oldest first; the step under way is not among them.';

export const AppMetrics = z
  .object({ ...series, samples: z.array(AppSample).describe(everyStep) })
  .meta({ id: 'Metrics' });
export type AppMetrics = z.infer<typeof AppMetrics>;

export const MachineMetrics = z
  .object({
    ...series,
    cores: z.int().describe('Of the machine: at most 100 % each.'),
    samples: z.array(MachineSample).describe(everyStep),
  })
  .meta({ id: 'MachineMetrics' });
export type MachineMetrics = z.infer<typeof MachineMetrics>;
