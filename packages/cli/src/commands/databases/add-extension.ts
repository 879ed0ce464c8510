import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'add-extension'],
  summary: 'Add extensions to a PostgreSQL',
  description: 'With what they stand on. None is ever removed. Admins only.',
  arguments: { database: DATABASE, extension: { description: 'such as pg_trgm', variadic: true } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database add-extension shop/production/db pg_trgm citext', does: 'two at once' }],
  async run(context) {
    const { client, args, options } = context;
    const body = { extensions: args.extension };
    const task = await (await client()).addDatabaseExtensions({ params: databaseOf(args.database), body });
    const sentence = `Database ${args.database} has ${args.extension.join(', ')}.`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
