import { defineCommand } from '../../declaration/command.ts';
import { storeList } from '../../views/object-store.ts';

export const command = defineCommand({
  path: ['object-store', 'list'],
  summary: 'List the object stores',
  examples: [{ line: 'davit object-store list', does: 'List all linked and managed object stores' }],
  async run({ client, out }) {
    out.list(await (await client()).listObjectStores(), storeList);
  },
});
