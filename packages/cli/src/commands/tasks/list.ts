import { type Client, OPEN_TASK_STATUSES, TASK_STATUSES, TASK_SUBJECTS, type Task } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { taskList } from '../../views/task.ts';

export const command = defineCommand({
  path: ['task', 'list'],
  summary: 'List background tasks, newest first',
  options: {
    subject: { short: 's', value: 'name', description: 'only about this, such as shop/production/db' },
    kind: { short: 'k', value: 'kind', choices: TASK_SUBJECTS, description: 'only about things of this kind' },
    status: { value: 'status', choices: TASK_STATUSES, description: 'only those that are this now' },
    open: { description: 'only what has not ended' },
    limit: { short: 'n', value: 'n', description: 'how many; 50 unless given, 100 at most' },
  },
  examples: [
    { line: 'davit task list', does: 'what was done with databases, backups, stores and templates' },
    { line: 'davit task list --subject shop/production/db', does: 'of one database' },
    { line: 'davit task list --open', does: 'what is at work' },
  ],
  async run({ client, out, options: { subject, kind, status, open, limit } }) {
    if (open && status !== undefined) throw new CliError('usage', 'Say --open or --status: one of the two.');
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

/** Lists tasks with several requests, because the API filters by one status per request. */
async function tasksIn(api: Client, statuses: readonly Query['status'][], query: Query): Promise<Task[]> {
  const found = await Promise.all(
    statuses.map((status) => api.listTasks({ query: { ...query, ...(status !== undefined && { status }) } })),
  );
  // A task that began between two requests is in both answers.
  const byId = new Map(found.flat().map((task) => [task.id, task]));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}
