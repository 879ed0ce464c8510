import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['database', 'destroy'],
  summary: 'Permanently delete a database from the trash',
  description: 'Its backups stay. Admins only.',
  arguments: { number: { description: 'as «davit database list --trash» shows it' } },
  examples: [{ line: 'davit database destroy 3', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const found = (await api.listTrashedDatabases()).find(({ id }) => String(id) === args.number);
    if (found === undefined)
      throw new CliError(
        'not_found',
        `There is no database ${args.number} in the trash: «davit database list --trash» shows all.`,
      );
    await confirm({ what: 'This removes its data for ever', name: found.name }, { ask, yes: globals.yes });
    await api.destroyDatabase({ params: { trashed: args.number }, query: { confirm: found.name } });
    out.done(null, `Database ${found.reference} is gone.`);
  },
});
