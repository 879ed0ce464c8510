import { z } from 'zod';
import { Timestamp } from './common.ts';

/**
 * Time ranges for which metrics can be requested. Each time range has a number of data points (`steps`), and the
 * seconds that each data point covers (`stepS`).
 */
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

const At = Timestamp.describe('End of the interval that the sample covers.');
const gap = '`null` if nothing was measured';
const figure = (what: string) => z.number().nullable().describe(`${what}, or ${gap}.`);
const bytes = (what: string) => z.int().nullable().describe(`${what}, or ${gap}.`);

const common = {
  at: At,
  cpu_percent: figure('Average processor use in percent, where 100 is one core'),
  memory_bytes: bytes('Maximum memory use in bytes, without the page cache'),
};
const network = {
  received_bytes_per_s: figure('Average of received bytes per second'),
  sent_bytes_per_s: figure('Average of sent bytes per second'),
};

/** Resource usage of an app at one time, as the sum of all replicas. */
export const AppSample = z
  .object({
    ...common,
    memory_limit_bytes: bytes(
      'Sum of the memory limits of all replicas in bytes. `null` if a replica has no memory limit',
    ),
    ...network,
    replicas: z
      .int()
      .nullable()
      .describe(`Maximum number of replicas, including replicas that are stopping, or ${gap}.`),
  })
  .meta({ id: 'MetricSample' });
export type AppSample = z.infer<typeof AppSample>;

/** Resource usage of the server at one time. */
export const MachineSample = z
  .object({
    ...common,
    memory_total_bytes: bytes('Memory of the server in bytes'),
    disk_bytes: bytes('Used bytes of the file system of the data directory'),
    disk_total_bytes: bytes('Size of the file system of the data directory in bytes'),
    ...network,
    load: figure('Load average of the last minute'),
  })
  .meta({ id: 'MachineMetricSample' });
export type MachineSample = z.infer<typeof MachineSample>;

const share = (what: string) => z.number().nullable().describe(`${what}, from 0 to 1. \`null\` without requests.`);
const quantile = (what: string) =>
  z
    .number()
    .nullable()
    .describe(`${what} of the time until the first byte of a response, in milliseconds. \`null\` without responses.`);

/** HTTP requests to an app during one step of the requested time range. */
export const TrafficSample = z
  .object({
    at: At,
    requests: z
      .int()
      .nullable()
      .describe(
        'Number of requests in the interval, without the requests in `missed`. `null` if Davit counted no requests.',
      ),
    requests_per_s: z.number().nullable().describe('Average number of requests per second.'),
    client_error_share: share('Share of responses with a status from 400 to 499'),
    server_error_share: share('Share of responses with a status of 500 or higher'),
    p50_ms: quantile('Median'),
    p95_ms: quantile('95th percentile'),
    p99_ms: quantile('99th percentile'),
    sent_bytes_per_s: z
      .number()
      .nullable()
      .describe('Average number of bytes per second in responses, including headers.'),
    missed: z
      .int()
      .nullable()
      .describe(
        'Number of requests that the proxy counted while the daemon was not running. Error rates and durations of these requests are not known.',
      ),
    sampled: z
      .boolean()
      .describe(
        'Whether Davit measured only a random part of the requests. This happens above 2,000 requests per second. Error rates, durations and bytes are then estimates.',
      ),
    sample_factor: z
      .number()
      .nullable()
      .describe('Number of all requests divided by the number of measured requests. 1 if Davit measured all requests.'),
  })
  .meta({ id: 'TrafficSample' });
export type TrafficSample = z.infer<typeof TrafficSample>;

const series = {
  window: MetricWindowName,
  step_s: z.int().describe('Interval between two samples in seconds.'),
};
const everyStep = 'Samples of the time range, oldest first.';

export const AppMetrics = z
  .object({
    ...series,
    samples: z.array(AppSample).describe(everyStep),
    traffic: z
      .object({ step_s: series.step_s, samples: z.array(TrafficSample).describe(everyStep) })
      .describe(
        'Requests to the app through the proxy. The interval of these samples can differ from the interval of the other samples.',
      ),
  })
  .meta({ id: 'Metrics' });
export type AppMetrics = z.infer<typeof AppMetrics>;

export const MachineMetrics = z
  .object({
    ...series,
    cores: z.int().describe('Number of processor cores of the server.'),
    samples: z.array(MachineSample).describe(everyStep),
  })
  .meta({ id: 'MachineMetrics' });
export type MachineMetrics = z.infer<typeof MachineMetrics>;
