import { z } from 'zod';
import { Timestamp } from './common.ts';

export const DatabaseMetrics = z
  .object({
    window: z.enum(['1h', '6h', '24h', '7d']),
    step_s: z.int().describe('The length of a step.'),
    samples: z
      .array(
        z.object({
          at: Timestamp.describe('The end of the step.'),
          cpu_percent: z.number().nullable().describe('The mean over the step; 100 is one core.'),
          memory_bytes: z.int().nullable().describe('The most in the step, without the page cache.'),
          memory_limit_bytes: z.int().nullable(),
          received_bytes_per_s: z.number().nullable(),
          sent_bytes_per_s: z.number().nullable(),
        }),
      )
      .describe('One for each step of the window, oldest first; null in every field where nothing was measured.'),
  })
  .meta({ id: 'DatabaseMetrics' });
export type DatabaseMetrics = z.infer<typeof DatabaseMetrics>;

export const DatabaseLogLines = z
  .object({
    lines: z.array(z.object({ at: Timestamp, stream: z.enum(['stdout', 'stderr']), line: z.string() })),
  })
  .meta({ id: 'DatabaseLogLines', description: 'Lines that a database wrote, oldest first.' });
export type DatabaseLogLines = z.infer<typeof DatabaseLogLines>;
