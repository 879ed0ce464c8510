import { z } from 'zod';
import { operation } from '../operation.ts';
import { TASK_SUBJECTS, Task } from '../schemas/task.ts';
import { TASK_STATUSES } from '../states/task.ts';
import { recordPaging } from './parameters.ts';
import { TaskQuery } from './task-answers.ts';

const tag = 'Tasks';
const TaskPath = z.object({ task: z.string().describe('ID of the task.') });

export const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/tasks',
  tag,
  summary: 'List tasks',
  description: 'Returns the tasks of all projects that the caller can access. Deployments are not tasks.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    subject: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Filter by the name of the resource that the tasks change, for example `project/environment/name` for a database. Default: tasks of all resources.',
      ),
    subject_kind: z
      .enum(TASK_SUBJECTS, `must be one of ${TASK_SUBJECTS.join(', ')}`)
      .optional()
      .describe('Filter by the kind of resource that the tasks change. Default: all kinds.'),
    status: z
      .enum(TASK_STATUSES, `must be one of ${TASK_STATUSES.join(', ')}`)
      .optional()
      .describe('Filter by task status. Default: tasks with any status.'),
  }),
  responses: { 200: { description: 'Tasks, newest first.', schema: z.array(Task) } },
  tool: {},
});

export const getTask = operation({
  id: 'getTask',
  method: 'GET',
  path: '/tasks/{task}',
  tag,
  summary: 'Get a task',
  permission: 'read',
  scope: 'task',
  effect: 'read',
  params: TaskPath,
  query: TaskQuery,
  responses: { 200: { description: 'The task.', schema: Task } },
  tool: {
    description: 'With `wait`, the tool returns when the task has finished, or after 50 seconds.',
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
    'Cancels a task. Davit undoes the finished steps in reverse order, and responds when all of them are undone. You can cancel a task until it finishes or reaches a step that cannot be undone.',
  permission: 'operate',
  scope: 'task',
  effect: 'write',
  params: TaskPath,
  responses: { 200: { description: 'The task.', schema: Task } },
  tool: { repeatable: true, tellsText: true },
});
