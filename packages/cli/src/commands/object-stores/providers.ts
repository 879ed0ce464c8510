import { defineCommand } from '../../declaration/command.ts';
import { providerList } from '../../views/object-store.ts';

export const command = defineCommand({
  path: ['store', 'providers'],
  summary: 'List the providers of object stores and the fields that they require',
  examples: [{ line: 'davit store providers', does: 'List the providers for `davit store link`' }],
  async run({ client, out }) {
    out.list(await (await client()).listStoreProviders(), providerList);
  },
});
