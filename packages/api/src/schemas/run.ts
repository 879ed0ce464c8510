import { z } from 'zod';
import { WORK_PROBLEM_CODES } from '../problems/work.ts';
import { Argument, Timestamp, Via } from './common.ts';

/**
 * Status of a command run. `timed_out` and `cancelled`: Davit stopped the command. `skipped`: at the scheduled time,
 * Davit did not start the command.
 */
export const RUN_STATUSES = ['running', 'succeeded', 'failed', 'cancelled', 'timed_out', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Executable and arguments of a command. No shell interprets the command. */
export const Command = z
  .array(Argument)
  .min(1)
  .max(256)
  .refine(([program]) => program !== '', 'must have a program as its first entry')
  .describe('Program and arguments. Davit does not use a shell.');

export const Timeout = z.int().min(1).max(86_400).describe('Timeout of the command in seconds.');

export const RunInput = z
  .strictObject({ command: Command, timeout_s: Timeout.default(600) })
  .meta({ id: 'RunCommand' });
export type RunInput = z.infer<typeof RunInput>;

export const Run = z
  .object({
    id: z.int().describe('ID of the run. The ID is unique in the instance and never reused.'),
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    deployment: z
      .int()
      .nullable()
      .describe(
        'ID of the deployment whose image and settings the command used. `null` if the app had no live release.',
      ),
    schedule: z.int().nullable().describe('ID of the schedule that started the run. `null` if a user started the run.'),
    command: z.array(z.string()),
    timeout_s: z.int(),
    status: z
      .enum(RUN_STATUSES)
      .describe(
        'Status of the run. `failed`: the exit code was not 0, or the command could not run. `skipped`: the command did not run at a scheduled time.',
      ),
    exit_code: z
      .int()
      .nullable()
      .describe('Exit code of the command. `null` while the command is running, or if Davit killed the command.'),
    timed_out: z.boolean().describe('Whether Davit killed the command because of the timeout.'),
    output: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Last 64 KiB of stdout and stderr. `null` while the command is running, or if you may not read secrets. Lists of runs do not contain this field.',
      ),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the command did not run or was killed, in one sentence. `null` in all other cases, even if the exit code is not 0.',
      ),
    error_code: z
      .enum(WORK_PROBLEM_CODES)
      .nullable()
      .describe(
        'Code of the error that caused the failure. Only errors that Docker reported have a code. `null` in all other cases.',
      ),
    by: z.string().describe('Name of the user who started the run.'),
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
          container: z.string().describe('Name of the container.'),
          stream: z.enum(['stdout', 'stderr']),
          at: Timestamp,
          line: z.string(),
        }),
      )
      .min(1),
  })
  .meta({ id: 'RunLines', description: 'Data of the event `log`: lines of output of the command, in order.' });
