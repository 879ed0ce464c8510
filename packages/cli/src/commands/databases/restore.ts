import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'restore'],
  summary: 'Restore a database from the trash',
  description: 'With its data. What it was before a backup is «davit backup restore». Admins only.',
  arguments: { number: { description: 'as «davit database list --trash» shows it' } },
  options: {
    name: { value: 'name', description: 'another name than it had' },
    into: { value: 'project/environment/name', description: 'where to, instead of where it was' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit database restore 3', does: 'out of the trash' },
    { line: 'davit database restore 3 --into shop/staging/main', does: 'to another environment' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const { name, into } = options;
    const body = { ...(name !== undefined && { name }), ...(into !== undefined && { into }) };
    const task = await (await client()).restoreDatabase({ params: { trashed: args.number }, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${task.subject.name} is back.` });
  },
});
