import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'restart'],
  summary: 'Restart a database',
  description: 'Open connections are closed. Apps must reconnect.',
  arguments: { database: DATABASE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database restart shop/production/db', does: 'Restart a database' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).restartDatabase({ params: databaseOf(args.database) });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${args.database} is running.` });
  },
});
