import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'stop'],
  summary: 'Stop a database',
  description: 'The data is kept. Apps cannot connect until you start the database.',
  arguments: { database: DATABASE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database stop shop/production/db', does: 'Stop a database' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).stopDatabase({ params: databaseOf(args.database) });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${args.database} is stopped.` });
  },
});
