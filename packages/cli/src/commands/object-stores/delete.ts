import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'delete'],
  summary: 'Unlink an object store, or move a managed one to the trash',
  description:
    'The objects in a linked object store are kept. No app, backup or schedule may use the object store. Required role: admin.',
  arguments: { store: STORE },
  examples: [{ line: 'davit store delete s3', does: 'Delete an object store after confirmation' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const params = { store: args.store };
    const { name, kind } = await api.getStore({ params });
    const what =
      kind === 'linked' ? `This unlinks the object store ${name}` : `This moves the object store ${name} to the trash`;
    await confirm({ what, name }, { ask, yes: globals.yes });
    const answer = await api.deleteStore({ params, query: { confirm: name } });
    out.done(answer, kind === 'linked' ? `Unlinked object store ${name}.` : `Moved object store ${name} to the trash.`);
  },
});
