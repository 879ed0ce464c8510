import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'restore-to'],
  summary: 'Restore a database to a point in time, as a new database',
  description:
    'Works only for PostgreSQL. The backup schedule of the database must include point-in-time recovery. To see the available time range, use `davit backup coverage --json`. Required role: admin.',
  arguments: {
    database: DATABASE,
    at: { description: 'point in time, such as 2030-01-31T12:00:00Z' },
    into: { description: 'new database, as project/environment/name' },
  },
  options: { noWait: NO_WAIT },
  examples: [
    {
      line: 'davit database restore-to shop/production/db 2030-01-31T12:00:00Z shop/production/before',
      does: 'Create a new database with the data of 12:00 UTC',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const body = { at: args.at, into: args.into };
    const task = await (await client()).restoreDatabaseTo({ params: databaseOf(args.database), body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Restored the state of ${args.database} at ${args.at} into ${args.into}.`,
    });
  },
});
