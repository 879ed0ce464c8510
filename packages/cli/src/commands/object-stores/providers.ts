import { defineCommand } from '../../declaration/command.ts';
import { providerList } from '../../views/object-store.ts';

export const command = defineCommand({
  path: ['object-store', 'providers'],
  summary: 'List the providers of object stores and the fields that they require',
  examples: [{ line: 'davit object-store providers', does: 'List the providers for `davit object-store link`' }],
  async run({ client, out }) {
    out.list(await (await client()).listObjectStoreProviders(), providerList);
  },
});
