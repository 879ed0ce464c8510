import { defineCommand } from '../../declaration/command.ts';
import { storeList } from '../../views/object-store.ts';

export const command = defineCommand({
  path: ['store', 'list'],
  summary: 'List the object stores',
  examples: [{ line: 'davit store list', does: 'linked ones, and those that the instance runs' }],
  async run({ client, out }) {
    out.list(await (await client()).listStores(), storeList);
  },
});
