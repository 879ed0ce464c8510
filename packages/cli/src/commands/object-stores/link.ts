import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';
import { ENDPOINT, endpointPatch, NO_CHECK } from './endpoint.ts';

export const command = defineCommand({
  path: ['store', 'link'],
  summary: 'Link an object store that speaks S3',
  description: 'Its secret key is asked for, or read from stdin. The store is asked before it is linked. Admins only.',
  arguments: {
    store: { description: 'what it is to be called here' },
    provider: { description: 'as «davit store providers» shows them' },
    accessKey: { description: 'the ID of its access key' },
  },
  options: {
    ...ENDPOINT,
    account: { value: 'id', description: 'of Cloudflare R2' },
    project: { short: 'p', value: 'project', description: 'only for its apps' },
    description: { value: 'text', description: 'for people' },
    noCheck: NO_CHECK,
  },
  examples: [
    { line: 'davit store link s3 aws AKIAEXAMPLE --region eu-central-1', does: 'asks for the secret key' },
    { line: 'cat key | davit store link minio generic admin --endpoint http://10.0.0.5:9000', does: 'from a file' },
  ],
  async run({ client, out, ask, args, options }) {
    const { account, project, description, noCheck } = options;
    const body = {
      name: args.store,
      provider: args.provider as 'generic',
      access_key: args.accessKey,
      secret_key: await oneSecret(ask, 'Secret key:'),
      ...endpointPatch(options),
      ...(account !== undefined && { account }),
      ...(project !== undefined && { project }),
      ...(description !== undefined && { description }),
    };
    const store = await (await client()).linkStore({ query: noCheck ? { check: 'false' } : {}, body });
    out.done(store, `Store ${store.name} is linked.`, store.name);
  },
});
