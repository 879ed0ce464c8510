import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'delete'],
  summary: 'Move a database to the trash',
  description:
    'It is stopped. Its data stays until its days in the trash are over, and can be brought back until then. Admins only.',
  arguments: { database: DATABASE },
  examples: [{ line: 'davit database delete shop/production/db', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const params = databaseOf(args.database);
    const api = await client();
    const { name } = await api.getDatabase({ params });
    await confirm({ what: `This moves the database ${args.database} to the trash`, name }, { ask, yes: globals.yes });
    const gone = await api.deleteDatabase({ params, query: { confirm: name } });
    out.done(
      gone,
      `Database ${args.database} is in the trash: «davit database restore ${gone.id}» brings it back.`,
      gone.id,
    );
  },
});
