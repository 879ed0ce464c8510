import { z } from 'zod';
import { Timestamp } from './common.ts';

/**
 * Time ranges of metrics. `steps` is the number of data points in the time range. `stepS` is the number of seconds for
 * one data point.
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
  memory_bytes: bytes('Peak memory use in bytes, without the page cache'),
};
const network = {
  received_bytes_per_s: figure('Average number of received bytes per second'),
  sent_bytes_per_s: figure('Average number of sent bytes per second'),
};

/** Resource usage of an app at one point in time, as the sum of all replicas. */
export const AppSample = z
  .object({
    ...common,
    memory_limit_bytes: bytes(
      'Sum of the memory limits of all replicas in bytes. `null` if a replica has no memory limit',
    ),
    ...network,
    replicas: z.int().nullable().describe(`Peak number of replicas, including replicas that are stopping, or ${gap}.`),
  })
  .meta({ id: 'MetricSample' });
export type AppSample = z.infer<typeof AppSample>;

/** Resource usage of the server at one point in time. */
export const MachineSample = z
  .object({
    ...common,
    memory_total_bytes: bytes('Total memory of the server in bytes'),
    disk_bytes: bytes('Used space of the file system with the data directory, in bytes'),
    disk_total_bytes: bytes(
      'Size of the file system with the data directory, without the blocks that are reserved for root, in bytes',
    ),
    ...network,
    load: figure('Load average of the last minute'),
  })
  .meta({ id: 'MachineMetricSample' });
export type MachineSample = z.infer<typeof MachineSample>;

const share = (what: string) =>
  z.number().nullable().describe(`${what}, from 0 to 1. \`null\` if there were no requests.`);
const quantile = (what: string) =>
  z
    .number()
    .nullable()
    .describe(
      `${what} of the response time in milliseconds. The response time ends at the first byte of the response. \`null\` if the app sent no responses.`,
    );

/** Statistics about HTTP requests to an app in one time interval, such as the number of requests. */
export const TrafficSample = z
  .object({
    at: At,
    requests: z
      .int()
      .nullable()
      .describe(
        'Number of requests in the interval. This number does not include the requests in `missed`. `null` if Davit did not count requests in the interval.',
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
        'Number of requests that the proxy counted while Davit itself was not running. Error rates and durations of these requests are not known.',
      ),
    sampled: z
      .boolean()
      .describe(
        'Whether Davit measured only a random sample of the requests, because there were more than 2,000 requests per second. Error rates, durations and bytes are then estimates.',
      ),
    sample_factor: z
      .number()
      .nullable()
      .describe(
        'Sampling factor. For example, 4 means that Davit measured one of four requests, and 1 means that it measured all requests. `null` if Davit did not count requests in the interval.',
      ),
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
        'Requests that the app received through the proxy. The interval `step_s` of these samples can differ from the interval of the CPU and memory samples.',
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
