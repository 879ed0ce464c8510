import { defineCommand } from '../../declaration/command.ts';
import { storeCredentialFields } from '../../views/object-store.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'credentials'],
  summary: 'Show the keys of an object store',
  arguments: { store: STORE },
  examples: [{ line: 'davit store credentials s3', does: 'Show the endpoint and the keys' }],
  async run({ client, out, args }) {
    const credentials = await (await client()).getStoreCredentials({ params: { store: args.store } });
    out.record(credentials, storeCredentialFields(credentials), credentials.access_key);
  },
});
