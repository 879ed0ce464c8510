import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { destinationOf, TO } from './destination.ts';
import { withNewBackup } from './new-backup.ts';

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
    const { client: connect, args, options } = context;
    const destination = destinationOf(options.to);
    const body = destination === undefined ? {} : { destination };
    const params = databaseOf(args.database);
    const client = await connect();
    const { answer: task, backup } = await withNewBackup(client, { database: args.database, origin: 'manual' }, () =>
      client.backUpDatabase({ params, body }),
    );
    const id = backup === null ? '' : ` The ID of the backup is ${backup.id}.`;
    await startedTask(context, task, { noWait: options.noWait, sentence: `Backed up database ${args.database}.${id}` });
  },
});
