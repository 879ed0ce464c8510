import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'delete'],
  summary: 'Unlink an object store, or move a managed object store to the trash',
  description:
    'The objects in a linked object store are kept. No app, backup or schedule may use the object store. Required role: admin.',
  arguments: { object_store: OBJECT_STORE },
  examples: [{ line: 'davit object-store delete s3', does: 'Delete an object store after confirmation' }],
  async run({ client, out, ask, globals, args }) {
    const api = await client();
    const params = { object_store: args.object_store };
    const { name, kind } = await api.getObjectStore({ params });
    const what =
      kind === 'linked' ? `This unlinks the object store ${name}` : `This moves the object store ${name} to the trash`;
    await confirm({ what, name }, { ask, yes: globals.yes });
    const answer = await api.deleteObjectStore({ params, query: { confirm: name } });
    out.done(answer, kind === 'linked' ? `Unlinked object store ${name}.` : `Moved object store ${name} to the trash.`);
  },
});
