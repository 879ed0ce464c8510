import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'delete'],
  summary: 'Unlink a linked object store, or move a managed object store to the trash',
  description:
    'Davit does not delete the objects in a linked object store. You cannot delete an object store that an app, backup or schedule uses. Required role: admin.',
  arguments: { object_store: OBJECT_STORE },
  examples: [{ line: 'davit object-store delete s3', does: 'Delete an object store after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const api = await client();
    const params = { object_store: args.object_store };
    const { name, kind } = await api.getObjectStore({ params });
    const what =
      kind === 'linked' ? `This unlinks the object store ${name}` : `This moves the object store ${name} to the trash`;
    await confirm({ what, name }, { ask: prompter, yes: globals.yes });
    const answer = await api.deleteObjectStore({ params, query: { confirm: name } });
    out.done(answer, kind === 'linked' ? `Unlinked object store ${name}.` : `Moved object store ${name} to the trash.`);
  },
});
