import { defineCommand } from '../../declaration/command.ts';
import { storeCredentialFields } from '../../views/object-store.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'credentials'],
  summary: 'Show the access keys of an object store',
  arguments: { object_store: OBJECT_STORE },
  examples: [
    { line: 'davit object-store credentials s3', does: 'Show the endpoint and the access keys of an object store' },
  ],
  async run({ client, out, args }) {
    const credentials = await (await client()).getObjectStoreCredentials({
      params: { object_store: args.object_store },
    });
    out.record(credentials, storeCredentialFields(credentials), credentials.access_key);
  },
});
