import { LIMITS, limitsPatch } from '../../arguments/limits.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';
import { STORE } from './arguments.ts';
import { ENDPOINT, endpointPatch, NO_CHECK } from './endpoint.ts';

export const command = defineCommand({
  path: ['store', 'set'],
  summary: 'Change the limits, address or keys of an object store',
  description:
    'Limits are those of one that this instance runs, and in force at once. A linked one is asked before it is changed; apps have new keys with their next deploy. Admins only.',
  arguments: { store: STORE },
  options: {
    description: { value: 'text', description: 'for people; empty: none' },
    ...LIMITS,
    ...ENDPOINT,
    accessKey: { value: 'id', description: 'other keys: the ID; the secret is asked for, or read from stdin' },
    secretKey: { description: 'another secret of the same access key: asked for, or read from stdin' },
    noCheck: NO_CHECK,
  },
  examples: [
    { line: 'davit store set files --memory 1g', does: 'more room' },
    { line: 'pass show s3 | davit store set s3 --access-key AKIAEXAMPLE', does: 'new keys' },
  ],
  async run({ client, out, ask, args, options }) {
    const { description, accessKey, secretKey, noCheck } = options;
    const change = {
      ...(description !== undefined && { description }),
      ...limitsPatch(options),
      ...endpointPatch(options),
      ...(accessKey !== undefined && { access_key: accessKey }),
    };
    const hasKeys = accessKey !== undefined || secretKey;
    if (Object.keys(change).length === 0 && !hasKeys)
      throw new CliError('usage', 'There is nothing to change: «davit store set --help» says what there is.');
    const body = { ...change, ...(hasKeys && { secret_key: await oneSecret(ask, 'Secret key:') }) };
    const query = noCheck ? { check: 'false' as const } : {};
    const store = await (await client()).patchStore({ params: { store: args.store }, query, body });
    out.done(store, `Store ${store.name} is changed.`, store.name);
  },
});
