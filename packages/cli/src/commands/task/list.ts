import { defineCommand } from '../../command.ts';
import { taskList } from '../../views/task.ts';

export const command = defineCommand({
  path: ['task', 'list'],
  summary: 'List long work that is no deployment, newest first',
  options: {
    subject: { short: 's', value: 'name', description: 'only about this, such as shop/production/db' },
    open: { description: 'only what has not ended' },
  },
  examples: [
    { line: 'davit task list', does: 'what was done with databases, backups, stores and templates' },
    { line: 'davit task list --subject shop/production/db', does: 'of one database' },
  ],
  async run({ client, out, options: { subject, open } }) {
    const query = { ...(subject !== undefined && { subject }), ...(open && { status: 'running' as const }) };
    out.list(await (await client()).listTasks({ query }), taskList);
  },
});
