import { defineCommand } from '../../command.ts';
import { confirm } from '../../confirm.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';

export const command = defineCommand({
  path: ['database', 'upgrade'],
  summary: 'Bring a database to another version of its engine',
  description:
    'What it has is written out, read into a new one and counted before it takes over; the old one stays in the trash. Out of reach meanwhile. Admins only.',
  arguments: { database: DATABASE, version: { description: 'such as 17' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database upgrade shop/production/db 17', does: 'asks for its name first' }],
  async run(context) {
    const { client, ask, globals, args, options } = context;
    const params = databaseOf(args.database);
    const api = await client();
    const { name } = await api.getDatabase({ params });
    await confirm({ what: `Nothing reaches ${args.database} until it is over`, name }, { ask, yes: globals.yes });
    const task = await api.upgradeDatabase({ params, body: { version: args.version, confirm: name } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Database ${args.database} is of version ${args.version}.`,
    });
  },
});
