import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'clone'],
  summary: 'Clone a database',
  description: 'It has a password of its own, and is attached to nothing. Admins only.',
  arguments: { database: DATABASE, into: { description: 'the new one, as project/environment/name' } },
  options: { noWait: NO_WAIT },
  examples: [
    { line: 'davit database clone shop/production/db shop/staging/db', does: 'real data to try something on' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const body = { into: args.into };
    const task = await (await client()).cloneDatabase({ params: databaseOf(args.database), body });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.into} has what ${args.database} had.`,
    });
  },
});
