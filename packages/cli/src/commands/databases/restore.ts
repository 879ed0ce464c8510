import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'restore'],
  summary: 'Restore a database from the trash',
  description:
    'Restores a deleted database and its data from the trash. To restore a backup instead, use `davit backup restore`. Required role: admin.',
  arguments: { id: { description: 'ID of the database in the trash (see `davit database list --trash`)' } },
  options: {
    name: { value: 'name', description: 'new name of the database (default: the previous name)' },
    into: {
      value: 'project/environment/name',
      description: 'new location of the database, as project/environment/name (default: the previous location)',
    },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database restore 3', does: 'Restore a database from the trash' },
    { line: 'davit database restore 3 --into shop/staging/main', does: 'Restore a database into another environment' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { name, into } = options;
    const body = { ...(name !== undefined && { name }), ...(into !== undefined && { into }) };
    const task = await (await client()).restoreDatabase({ params: { trashed: args.id }, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Restored database ${task.subject.name}.` });
  },
});
