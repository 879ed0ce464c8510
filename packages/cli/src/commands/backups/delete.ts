import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['backup', 'delete'],
  summary: 'Delete a backup',
  description: 'Admins only.',
  arguments: { backup: { description: 'its number' } },
  examples: [{ line: 'davit backup delete 12', does: 'asks for the database’s name first' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const params = { backup: args.backup };
    const { database, id } = await api.getBackup({ params });
    const name = database.split('/').at(-1) ?? '';
    await confirm({ what: `This deletes backup ${id} of ${database} for ever`, name }, { ask, yes: globals.yes });
    await api.deleteBackup({ params, query: { confirm: name } });
    out.done(null, `Backup ${id} is gone.`);
  },
});
