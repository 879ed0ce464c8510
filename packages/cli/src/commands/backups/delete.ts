import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['backup', 'delete'],
  summary: 'Delete a backup',
  description: 'Required role: admin.',
  arguments: { backup: { description: 'ID of the backup (see `davit backup list`)' } },
  examples: [{ line: 'davit backup delete 12', does: 'Delete backup 12 after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const params = { backup: args.backup };
    const { database, id } = await api.getBackup({ params });
    const name = database.split('/').at(-1) ?? '';
    await confirm(
      { what: `This permanently deletes backup ${id} of ${database}`, name },
      { ask: prompter, yes: globals.yes },
    );
    await api.deleteBackup({ params, query: { confirm: name } });
    out.done(null, `Deleted backup ${id}.`);
  },
});
