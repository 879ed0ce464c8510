import { defineCommand } from '../../declaration/command.ts';
import { storeFields } from '../../views/object-store.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'get'],
  summary: 'Show an object store',
  arguments: { store: STORE },
  examples: [{ line: 'davit store get s3', does: 'Show the endpoint and the attached apps' }],
  async run({ client, out, args }) {
    const store = await (await client()).getStore({ params: { store: args.store } });
    out.record(store, storeFields(store), store.name);
  },
});
