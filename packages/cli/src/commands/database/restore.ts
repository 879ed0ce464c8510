import { defineCommand } from '../../command.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';

export const command = defineCommand({
  path: ['database', 'restore'],
  summary: 'Bring a database back from the trash',
  description: 'With its data. What it was before a backup is «davit backup restore». Admins only.',
  arguments: { number: { description: 'as «davit database list --trash» shows it' } },
  options: { name: { value: 'name', description: 'another name than it had' }, noWait: NO_WAIT },
  examples: [{ line: 'davit database restore 3', does: 'out of the trash' }],
  async run(context) {
    const { client, args, options } = context;
    const body = options.name === undefined ? {} : { name: options.name };
    const task = await (await client()).restoreDatabase({ params: { trashed: args.number }, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${task.subject.name} is back.` });
  },
});
