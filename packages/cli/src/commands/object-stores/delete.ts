import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'delete'],
  summary: 'Unlink an object store, or move a managed one to the trash',
  description: 'Nothing is deleted in a linked one. Refused while apps, backups or schedules use it. Admins only.',
  arguments: { store: STORE },
  examples: [{ line: 'davit store delete s3', does: 'asks for its name first' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const params = { store: args.store };
    const { name, kind } = await api.getStore({ params });
    const what = kind === 'linked' ? `This unlinks the store ${name}` : `This moves the store ${name} to the trash`;
    await confirm({ what, name }, { ask, yes: globals.yes });
    const answer = await api.deleteStore({ params, query: { confirm: name } });
    out.done(answer, kind === 'linked' ? `Store ${name} is not linked any more.` : `Store ${name} is in the trash.`);
  },
});
