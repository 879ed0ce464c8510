import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';
import { OBJECT_STORE } from './arguments.ts';
import { ENDPOINT, endpointPatch, NO_CHECK } from './endpoint.ts';

export const command = defineCommand({
  path: ['object-store', 'set'],
  summary: 'Change the limits, address or access keys of an object store',
  description:
    'New limits of a managed object store take effect immediately. For a linked (external) object store, Davit tests the connection before it saves a new address or new access keys. Attached apps get the new address and access keys with their next deployment. Required role: admin.',
  arguments: { object_store: OBJECT_STORE },
  options: {
    description: { value: 'text', description: 'description of the object store (empty: no description)' },
    ...LIMITS,
    ...ENDPOINT,
    accessKey: {
      value: 'id',
      description: 'new access key ID; the command prompts for the secret key or reads the key from stdin',
    },
    secretKey: {
      description: 'change only the secret key; the command prompts for the key or reads the key from stdin',
    },
    noCheck: NO_CHECK,
  },
  examples: [
    { line: 'davit object-store set files --memory 1g', does: 'Change the memory limit of an object store' },
    {
      line: 'pass show s3 | davit object-store set s3 --access-key AKIAEXAMPLE',
      does: 'Change the access keys of an object store',
    },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    const { description, accessKey, secretKey, noCheck } = options;
    const change = {
      ...(description !== undefined && { description }),
      ...limitsPatch(options),
      ...endpointPatch(options),
      ...(accessKey !== undefined && { access_key: accessKey }),
    };
    const hasKeys = accessKey !== undefined || secretKey;
    if (Object.keys(change).length === 0 && !hasKeys)
      throw new CliError('usage', 'Nothing to change. For a list of the options, run: davit object-store set --help');
    const body = { ...change, ...(hasKeys && { secret_key: await oneSecret(prompter, 'Secret key:') }) };
    const query = noCheck ? { check: 'false' as const } : {};
    const store = await (await client()).patchObjectStore({ params: { object_store: args.object_store }, query, body });
    out.done(store, `Changed object store ${store.name}.`, store.name);
  },
});
