import { z } from 'zod';
import { Timestamp } from './common.ts';

export const DatabaseMetrics = z
  .object({
    window: z.enum(['1h', '6h', '24h', '7d']),
    step_s: z.int().describe('Interval between two samples in seconds.'),
    samples: z
      .array(
        z.object({
          at: Timestamp.describe('End of the interval that the sample covers.'),
          cpu_percent: z.number().nullable().describe('Average processor use in percent. 100 is one core.'),
          memory_bytes: z.int().nullable().describe('Peak memory use in bytes, without the page cache.'),
          memory_limit_bytes: z.int().nullable(),
          received_bytes_per_s: z.number().nullable(),
          sent_bytes_per_s: z.number().nullable(),
        }),
      )
      .describe(
        'Samples of the time range, oldest first. All values of a sample are `null` if Davit measured nothing in its interval.',
      ),
  })
  .meta({ id: 'DatabaseMetrics' });
export type DatabaseMetrics = z.infer<typeof DatabaseMetrics>;

export const DatabaseLogLines = z
  .object({
    lines: z.array(z.object({ at: Timestamp, stream: z.enum(['stdout', 'stderr']), line: z.string() })),
  })
  .meta({ id: 'DatabaseLogLines', description: 'Log lines of a database, sorted by time.' });
export type DatabaseLogLines = z.infer<typeof DatabaseLogLines>;
