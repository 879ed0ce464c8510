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

const share = (what: string) => z.number().nullable().describe(`${what}, from 0 to 1; null without requests.`);
const quantile = (what: string) =>
  z
    .number()
    .nullable()
    .describe(`The time to the head of the answer that ${what} of the app’s answers took at most; null without any.`);

/** What was asked of an app through the proxy. */
export const TrafficSample = z
  .object({
    at: At,
    requests: z
      .int()
      .nullable()
      .describe('How many came; counted one by one at any rate, without those in `missed`; null: nobody counted.'),
    requests_per_s: z.number().nullable().describe('The mean over the step.'),
    client_error_share: share('Of the answers, those with a status from 400 to 499'),
    server_error_share: share('Of the answers, those with a status of 500 or more'),
    p50_ms: quantile('half'),
    p95_ms: quantile('95 %'),
    p99_ms: quantile('99 %'),
    sent_bytes_per_s: z.number().nullable().describe('Of answers, their heads included; the mean over the step.'),
    missed: z
      .int()
      .nullable()
      .describe(
        'Requests that came while the instance was away for too long to be told of them: their number alone is known.',
      ),
    sampled: z
      .boolean()
      .describe(
        'The shares, times and bytes are of a part of the requests, drawn by chance: there were more than 2,000 a second.',
      ),
    sample_factor: z
      .number()
      .nullable()
      .describe('How many requests each of that part stands for; 1: all were looked at.'),
  })
  .meta({ id: 'TrafficSample' });
export type TrafficSample = z.infer<typeof TrafficSample>;

const series = {
  window: MetricWindowName,
  step_s: z.int().describe('The length of a step.'),
};
const everyStep = 'One for each step of the window, oldest first; the step under way is not among them.';

export const AppMetrics = z
  .object({
    ...series,
    samples: z.array(AppSample).describe(everyStep),
    traffic: z
      .object({ step_s: series.step_s, samples: z.array(TrafficSample).describe(everyStep) })
      .describe('What was asked of the app through the proxy, in steps of its own.'),
  })
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
