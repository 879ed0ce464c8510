import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'destroy'],
  summary: 'Permanently delete a database from the trash',
  description: 'The backups of the database are kept. Required role: admin.',
  arguments: { id: { description: 'ID of the database in the trash (see `davit database list --trash`)' } },
  examples: [{ line: 'davit database destroy 3', does: 'Permanently delete a database after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const found = (await api.listTrashedDatabases()).find(({ id }) => String(id) === args.id);
    if (found === undefined)
      throw new CliError(
        'not_found',
        `Database ${args.id} is not in the trash. List the trash: davit database list --trash`,
      );
    await confirm(
      { what: 'This permanently deletes the data of the database', name: found.name },
      { ask: prompter, yes: globals.yes },
    );
    await api.destroyDatabase({ params: { trashed: args.id }, query: { confirm: found.name } });
    out.done(null, `Permanently deleted database ${found.reference}.`);
  },
});
