import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'upgrade'],
  summary: 'Upgrade a database to another version of its engine',
  description:
    'Dumps the data, restores the dump into a new container with the new version, and compares the number of records. The database is unavailable during the upgrade. If a step fails, the old container runs again with unchanged data. After a successful upgrade, the old data stays in the trash. Required role: admin.',
  arguments: { database: DATABASE, version: { description: 'new version of the engine, such as 17' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit database upgrade shop/production/db 17', does: 'Upgrade a database after confirmation' }],
  async run(context) {
    const { client, ask: prompter, globals, args, options } = context;
    const params = databaseOf(args.database);
    const api = await client();
    const { name } = await api.getDatabase({ params });
    await confirm(
      { what: `${args.database} is unavailable during the upgrade`, name },
      { ask: prompter, yes: globals.yes },
    );
    const task = await api.upgradeDatabase({ params, body: { version: args.version, confirm: name } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Upgraded database ${args.database} to version ${args.version}.`,
    });
  },
});
