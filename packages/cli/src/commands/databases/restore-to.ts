import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'restore-to'],
  summary: 'Create a database from the state of another one at a point in time',
  description:
    'Of a PostgreSQL whose schedule keeps points in time: «davit backup coverage» says from when to when. Admins only.',
  arguments: {
    database: DATABASE,
    at: { description: 'such as 2030-01-31T12:00:00Z' },
    into: { description: 'the new one, as project/environment/name' },
  },
  options: { noWait: NO_WAIT },
  examples: [
    {
      line: 'davit database restore-to shop/production/db 2030-01-31T12:00:00Z shop/production/before',
      does: 'beside the old one',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const body = { at: args.at, into: args.into };
    const task = await (await client()).restoreDatabaseTo({ params: databaseOf(args.database), body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.into} has what ${args.database} had then.`,
    });
  },
});
