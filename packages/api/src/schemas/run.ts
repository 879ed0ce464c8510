import { z } from 'zod';
import { WORK_PROBLEM_CODES } from '../work-problem.ts';
import { Argument, Timestamp, Via } from './common.ts';

/**
 * `failed`: it ended with another exit code than 0, or could not be run. `timed_out`, `cancelled`: it was ended.
 * `skipped`: a schedule’s time came and it was not run.
 */
export const RUN_STATUSES = ['running', 'succeeded', 'failed', 'cancelled', 'timed_out', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A program with its arguments, as a process gets them: no shell comes in between. */
export const Command = z
  .array(Argument)
  .min(1)
  .max(256)
  .refine(([program]) => program !== '', 'must name a program first')
  .describe('The program and its arguments, as they are: without a shell, unless it is the program.');

export const Timeout = z.int().min(1).max(86_400).describe('Seconds after which it is ended.');

export const RunInput = z
  .strictObject({ command: Command, timeout_s: Timeout.default(600) })
  .meta({ id: 'RunCommand' });
export type RunInput = z.infer<typeof RunInput>;

export const Run = z
  .object({
    id: z.int().describe('Unique in the instance, and never given again.'),
    app: z.string().describe('`project/environment/app`.'),
    deployment: z.int().nullable().describe('The deployment whose release it ran; null: there was none to run.'),
    schedule: z.int().nullable().describe('The schedule that it is of; null: somebody asked for it.'),
    command: z.array(z.string()),
    timeout_s: z.int(),
    status: z
      .enum(RUN_STATUSES)
      .describe('`failed`: an exit code other than 0, or none. `skipped`: a schedule’s time at which it was not run.'),
    exit_code: z.int().nullable().describe('Null while it runs, and for what did not end by itself.'),
    timed_out: z.boolean().describe('It was ended because its time was over.'),
    output: z
      .string()
      .nullable()
      .optional()
      .describe(
        'stdout and stderr as written, the last 64 KiB; null while it runs, and for who may not read secrets. Single reads only.',
      ),
    error: z.string().nullable().describe('Why it was not run or did not end by itself, in a sentence.'),
    error_code: z
      .enum(WORK_PROBLEM_CODES)
      .nullable()
      .describe('Code of a problem with the engine; `null` if there was none.'),
    by: z.string().describe('The account that asked.'),
    via: Via,
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

export const RunLines = z
  .object({
    lines: z
      .array(
        z.object({
          instance: z.string().describe('The name of its container.'),
          stream: z.enum(['stdout', 'stderr']),
          at: Timestamp,
          line: z.string(),
        }),
      )
      .min(1),
  })
  .meta({ id: 'RunLines', description: 'Data of `log`: what the command wrote, in order.' });
