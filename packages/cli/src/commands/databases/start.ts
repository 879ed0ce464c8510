import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'start'],
  summary: 'Start a database',
  arguments: { database: DATABASE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database start shop/production/db', does: 'Start a database' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).startDatabase({ params: databaseOf(args.database) });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${args.database} is running.` });
  },
});
