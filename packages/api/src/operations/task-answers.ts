/** What every operation answers that begins a task. */
import { z } from 'zod';
import { QueryBoolean } from '../schemas/common.ts';
import { Task } from '../schemas/task.ts';

export const TaskWait = QueryBoolean.optional().describe('Hold the connection until the task has ended.');

/** The query of an operation that begins a task and takes nothing else. */
export const TaskQuery = z.strictObject({ wait: TaskWait });

const headers = { Location: 'Where the task’s record is.' };

export const taskAccepted = { description: 'Accepted: the task to poll, at `Location`.', schema: Task, headers };

export const taskEnded = {
  description: 'With `wait=true`: the task that has ended, succeeded or not.',
  schema: Task,
  headers,
};

/** What agents are told of every tool that begins a task. */
export const waitsForTask =
  'Unless `wait` is false it is answered when the task has ended, or as it is after 50 seconds: it goes on then, and get_task with `wait` says how it ends. Of one that failed, `error` says why.';
