import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'delete'],
  summary: 'Move a database to the trash',
  description:
    'Stops the database and moves it to the trash. You can restore the database with its data until Davit deletes it permanently, by default after 7 days. Required role: admin.',
  arguments: { database: DATABASE },
  examples: [{ line: 'davit database delete shop/production/db', does: 'Delete a database after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const params = databaseOf(args.database);
    const api = await client();
    const { name } = await api.getDatabase({ params });
    await confirm(
      { what: `This moves the database ${args.database} to the trash`, name },
      { ask: prompter, yes: globals.yes },
    );
    const gone = await api.deleteDatabase({ params, query: { confirm: name } });
    out.done(
      gone,
      `Moved database ${args.database} to the trash. Restore it: davit database restore ${gone.id}`,
      gone.id,
    );
  },
});
