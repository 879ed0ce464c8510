import { defineCommand } from '../../declaration/command.ts';
import { storeFields } from '../../views/object-store.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'get'],
  summary: 'Show an object store',
  arguments: { object_store: OBJECT_STORE },
  examples: [{ line: 'davit object-store get s3', does: 'Show the endpoint of an object store and the attached apps' }],
  async run({ client, out, args }) {
    const store = await (await client()).getObjectStore({ params: { object_store: args.object_store } });
    out.record(store, storeFields(store), store.name);
  },
});
