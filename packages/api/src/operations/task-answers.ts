/** Query parameters and responses of API operations that start a background task. */
import { z } from 'zod';
import { QueryBoolean } from '../schemas/common.ts';
import { Task } from '../schemas/task.ts';

export const TaskWait = QueryBoolean.optional().describe(
  '`true` delays the response until the task has finished. Default: `false`.',
);

/** Query parameters of an operation that starts a background task, if the operation has no other query parameters. */
export const TaskQuery = z.strictObject({ wait: TaskWait });

const headers = { Location: 'URL of the task.' };

export const taskAccepted = {
  description: 'The task runs in the background. To follow the task, poll the URL in the header `Location`.',
  schema: Task,
  headers,
};

export const taskEnded = {
  description: 'With `wait=true`, the response is the finished task. The field `status` has the result.',
  schema: Task,
  headers,
};

/** Sentence that is part of the description of MCP tools that start a background task. */
export const waitsForTask =
  'The tool returns when the task has finished, or after 50 seconds. A longer task continues: to get its result, call get_task with `wait`. To return immediately, set `wait` to false. If the task failed, `error` has the reason.';
