import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';

export const command = defineCommand({
  path: ['database', 'rotate'],
  summary: 'Rotate the password of a database',
  description:
    'Deploys the attached apps with the new password. The old password works until all apps use the new password. Required role: admin.',
  arguments: { database: DATABASE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database rotate shop/production/db', does: 'Rotate the password of a database' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).rotateDatabasePassword({ params: databaseOf(args.database) });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Rotated the password of database ${args.database}.`,
    });
  },
});
