import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'rotate'],
  summary: 'Rotate the password of a database',
  description:
    'The apps that have it are deployed with the new one while the old one works still, which ends when all of them have it. Admins only.',
  arguments: { database: DATABASE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database rotate shop/production/db', does: 'without a lost request' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).rotateDatabasePassword({ params: databaseOf(args.database) });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.database} has a new password.`,
    });
  },
});
