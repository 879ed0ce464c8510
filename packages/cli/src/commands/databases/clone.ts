import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'clone'],
  summary: 'Clone a database',
  description: 'The new database has its own password. No app is attached to the new database. Required role: admin.',
  arguments: { database: DATABASE, into: { description: 'new database, as project/environment/name' } },
  options: { noWait: NO_WAIT },
  examples: [
    { line: 'davit database clone shop/production/db shop/staging/db', does: 'Clone a production database to staging' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const body = { into: args.into };
    const task = await (await client()).cloneDatabase({ params: databaseOf(args.database), body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Cloned ${args.database} to ${args.into}.`,
    });
  },
});
