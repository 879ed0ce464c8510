import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'upgrade'],
  summary: 'Upgrade a database to another version of its engine',
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
