import { type Client, OPEN_TASK_STATUSES, TASK_STATUSES, TASK_SUBJECTS, type Task } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { taskList } from '../../views/task.ts';

export const command = defineCommand({
  path: ['task', 'list'],
  summary: 'List background tasks, newest first',
  options: {
    subject: { short: 's', value: 'name', description: 'only tasks of this resource, such as shop/production/db' },
    kind: { short: 'k', value: 'kind', choices: TASK_SUBJECTS, description: 'only tasks for this type of resource' },
    status: { value: 'status', choices: TASK_STATUSES, description: 'only tasks with this status' },
    open: { description: 'only pending and running tasks' },
    limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' },
  },
  examples: [
    { line: 'davit task list', does: 'List all tasks' },
    { line: 'davit task list --subject shop/production/db', does: 'List the tasks of one database' },
    { line: 'davit task list --open', does: 'List pending and running tasks' },
  ],
  async run({ client, out, options: { subject, kind, status, open, limit } }) {
    if (open && status !== undefined) throw new CliError('usage', 'Use --open or --status, not both.');
    const query = {
      ...(subject !== undefined && { subject }),
      ...(kind !== undefined && { subject_kind: kind }),
      ...(limit !== undefined && { limit }),
    };
    const statuses = open ? OPEN_TASK_STATUSES : [status];
    out.list(await tasksIn(await client(), statuses, query), taskList);
  },
});

type Query = NonNullable<NonNullable<Parameters<Client['listTasks']>[0]>['query']>;

/**
 * Lists background tasks that have one of several statuses. The CLI sends one request per status, because an API
 * request can filter by only one status.
 */
async function tasksIn(api: Client, statuses: readonly Query['status'][], query: Query): Promise<Task[]> {
  const found = await Promise.all(
    statuses.map((status) => api.listTasks({ query: { ...query, ...(status !== undefined && { status }) } })),
  );
  /*
   * If the status of a task changes between the requests, two responses can contain the task. The map removes such
   * duplicates.
   */
  const byId = new Map(found.flat().map((task) => [task.id, task]));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}
