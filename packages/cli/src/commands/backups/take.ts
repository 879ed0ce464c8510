import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { destinationOf, TO } from './destination.ts';

export const command = defineCommand({
  path: ['backup', 'take'],
  summary: 'Back up a database',
  description: 'Without --to, Davit uses the destination in the backup schedule of the database.',
  arguments: { database: DATABASE },
  options: { to: TO, noWait: NO_WAIT },
  examples: [
    { line: 'davit backup take shop/production/db', does: 'Back up a database' },
    {
      line: 'davit backup take shop/production/db --to s3/backups/shop/',
      does: 'Back up to a bucket of the object store s3',
    },
  ],
  async run(context) {
    const { client, args, options } = context;
    const destination = destinationOf(options.to);
    const body = destination === undefined ? {} : { destination };
    const task = await (await client()).backUpDatabase({ params: databaseOf(args.database), body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Backed up database ${args.database}.` });
  },
});
