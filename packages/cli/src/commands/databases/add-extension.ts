import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'add-extension'],
  summary: 'Add extensions to a PostgreSQL database',
  description:
    'If an extension depends on other extensions, Davit adds the other extensions too. You cannot remove extensions from a database. Required role: admin.',
  arguments: {
    database: DATABASE,
    extension: { description: 'names of the extensions, such as pg_trgm', variadic: true },
  },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database add-extension shop/production/db pg_trgm citext', does: 'Add two extensions' }],
  async run(context) {
    const { client, args, options } = context;
    const body = { extensions: args.extension };
    const task = await (await client()).addDatabaseExtensions({ params: databaseOf(args.database), body });
    const sentence = `Added ${args.extension.join(', ')} to database ${args.database}.`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
