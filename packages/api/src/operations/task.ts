import { z } from 'zod';
import { operation } from '../operation.ts';
import { TASK_SUBJECTS, Task } from '../schemas/task.ts';
import { TASK_STATUSES } from '../states/task.ts';
import { recordPaging } from './parameters.ts';
import { TaskQuery } from './task-answers.ts';

const tag = 'Tasks';
const TaskPath = z.object({ task: z.string().describe('The task’s number.') });

export const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/tasks',
  tag,
  summary: 'List the tasks, newest first',
  description: 'Work that takes a while and is no deployment, in the projects you see.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    subject: z
      .string()
      .max(200)
      .optional()
      .describe('Only those about this: its name, such as `project/environment/name` of a database.'),
    subject_kind: z
      .enum(TASK_SUBJECTS, `must be one of ${TASK_SUBJECTS.join(', ')}`)
      .optional()
      .describe('Only those about things of this kind.'),
    status: z
      .enum(TASK_STATUSES, `must be one of ${TASK_STATUSES.join(', ')}`)
      .optional()
      .describe('Only those that are this now.'),
  }),
  responses: { 200: { description: 'The tasks.', schema: z.array(Task) } },
  tool: {},
});

export const getTask = operation({
  id: 'getTask',
  method: 'GET',
  path: '/tasks/{task}',
  tag,
  summary: 'Read a task',
  permission: 'read',
  scope: 'task',
  effect: 'read',
  params: TaskPath,
  query: TaskQuery,
  responses: { 200: { description: 'The task.', schema: Task } },
  tool: {
    description: 'With `wait` it is answered when the task has ended, or after 50 seconds.',
    tellsText: true,
  },
});

export const cancelTask = operation({
  id: 'cancelTask',
  method: 'POST',
  path: '/tasks/{task}/cancel',
  tag,
  summary: 'Cancel a task',
  description:
    'What it has done is undone, the newest first; the answer is the task as it is when that is over. One that has ended, or is past its point of no return, cannot be cancelled.',
  permission: 'operate',
  scope: 'task',
  effect: 'write',
  params: TaskPath,
  responses: { 200: { description: 'The task.', schema: Task } },
  tool: { repeatable: true, tellsText: true },
});
