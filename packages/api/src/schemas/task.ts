import { z } from 'zod';
import { WORK_PROBLEM_CODES } from '../problems/work.ts';
import { TASK_STATUSES } from '../states/task.ts';
import { Timestamp, Via } from './common.ts';

/**
 * Kinds of resources whose changes cause the event `resource`. A change of a project causes the event `app` instead.
 */
export const RESOURCE_EVENT_KINDS = ['database', 'object_store', 'backup', 'install'] as const;

/** Kinds of resources that a background task can change. */
export const TASK_SUBJECTS = [...RESOURCE_EVENT_KINDS, 'project'] as const;
export type TaskSubjectKind = (typeof TASK_SUBJECTS)[number];

export const TaskSubject = z
  .object({
    kind: z.enum(TASK_SUBJECTS),
    name: z
      .string()
      .describe(
        'Name of the resource that the task changes, as in API paths. For a database: `project/environment/name`.',
      ),
  })
  .meta({
    id: 'TaskSubject',
    description: 'Resource that a task changes. Each resource has at most one unfinished task.',
  });
export type TaskSubject = z.infer<typeof TaskSubject>;

export const TaskStep = z
  .object({
    name: z.string(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable().describe('Reason why the step failed. `null` if the step did not fail.'),
  })
  .meta({ id: 'TaskStep' });
export type TaskStep = z.infer<typeof TaskStep>;

export const TaskProgress = z
  .object({
    done: z.number(),
    total: z
      .number()
      .nullable()
      .describe(
        'Value that `done` has when the step is complete, for example the total number of bytes. `null` if this value is not known.',
      ),
    unit: z.string().describe('Unit of `done` and `total`, for example `bytes`.'),
  })
  .meta({ id: 'TaskProgress' });
export type TaskProgress = z.infer<typeof TaskProgress>;

export const Task = z
  .object({
    id: z.int().describe('ID of the task. The ID is unique in the instance and never reused.'),
    kind: z.string().describe('Kind of task, for example `database.create`.'),
    subject: TaskSubject,
    status: z
      .enum(TASK_STATUSES)
      .describe(
        'Status of the task. `pending`: the task has not started. `failed` or `cancelled`: Davit has undone the changes of the task, except for steps that cannot be undone.',
      ),
    steps: z.array(TaskStep).describe('Steps of the task that have started, in order.'),
    progress: TaskProgress.nullable().describe('Progress of the current step. `null` if the step reports no progress.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the task failed or was canceled, in one sentence. `null` if the task did not fail and was not canceled.',
      ),
    error_code: z
      .enum(WORK_PROBLEM_CODES)
      .nullable()
      .describe(
        'Code of the error that caused the failure. Only errors that concern the image, the registry or Docker have a code. `null` in all other cases.',
      ),
    log: z
      .array(z.string())
      .optional()
      .describe('Last lines of the log of the task. Lists of tasks do not contain this field.'),
    by: z.string().describe('Name of the user who started the task.'),
    via: Via,
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z
      .int()
      .nullable()
      .describe('Duration of the task in milliseconds. While the task is running: time since its start.'),
  })
  .meta({
    id: 'Task',
    description: 'Background work that takes longer than a request, for example a restore. Deployments are not tasks.',
  });
export type Task = z.infer<typeof Task>;
