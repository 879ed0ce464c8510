import { z } from 'zod';
import { TASK_STATUSES } from '../states/task.ts';
import { WORK_PROBLEM_CODES } from '../work-problem.ts';
import { Timestamp, Via } from './common.ts';

/** What a task is about. */
export const TASK_SUBJECTS = ['database', 'store', 'backup', 'install'] as const;
export type TaskSubjectKind = (typeof TASK_SUBJECTS)[number];

export const TaskSubject = z
  .object({
    kind: z.enum(TASK_SUBJECTS),
    name: z.string().describe('As it is called in paths: of a database `project/environment/name`.'),
  })
  .meta({ id: 'TaskSubject', description: 'What a task is about; one task at a time is open for it.' });
export type TaskSubject = z.infer<typeof TaskSubject>;

export const TaskStep = z
  .object({
    name: z.string(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable().describe('Why it did not succeed.'),
  })
  .meta({ id: 'TaskStep' });
export type TaskStep = z.infer<typeof TaskStep>;

export const TaskProgress = z
  .object({
    done: z.number(),
    total: z.number().nullable().describe('Null: it is not known how much there is.'),
    unit: z.string().describe('What is counted: `bytes`, `apps` …'),
  })
  .meta({ id: 'TaskProgress' });
export type TaskProgress = z.infer<typeof TaskProgress>;

export const Task = z
  .object({
    id: z.int().describe('Unique in the instance, and never given again.'),
    kind: z.string().describe('What is done, such as `database.create`.'),
    subject: TaskSubject,
    status: z
      .enum(TASK_STATUSES)
      .describe(
        '`pending`: not begun yet. `failed`, `cancelled`: what it had done was undone, unless it was past its point of no return.',
      ),
    steps: z.array(TaskStep).describe('Those that were begun, in order.'),
    progress: TaskProgress.nullable().describe('Of the step under way; null where nothing is counted.'),
    error: z.string().nullable().describe('Why it failed or was cancelled, in a sentence.'),
    error_code: z
      .enum(WORK_PROBLEM_CODES)
      .nullable()
      .describe(
        'Code of a problem with the image, its registry or the engine; `null` if it failed for another reason.',
      ),
    log: z.array(z.string()).optional().describe('What it says of itself, the last lines; single reads only.'),
    by: z.string().describe('The account that asked.'),
    via: Via,
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z.int().nullable().describe('From its start to its end, or to now.'),
  })
  .meta({ id: 'Task', description: 'Work that takes a while and is no deployment.' });
export type Task = z.infer<typeof Task>;
