import { destinationOf, TO } from '../../backup-destination.ts';
import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';

export const command = defineCommand({
  path: ['backup', 'take'],
  summary: 'Back up a database now',
  description: 'Where its schedule has them, unless told otherwise.',
  arguments: { database: DATABASE },
  options: { to: TO, noWait: NO_WAIT },
  examples: [
    { line: 'davit backup take shop/production/db', does: 'before something risky' },
    { line: 'davit backup take shop/production/db --to s3/backups/shop/', does: 'into a bucket of the store s3' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const destination = destinationOf(options.to);
    const body = destination === undefined ? {} : { destination };
    const task = await (await client()).backUpDatabase({ params: databaseOf(args.database), body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Database ${args.database} is backed up.` });
  },
});
