import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';
import { ENDPOINT, endpointPatch, NO_CHECK } from './endpoint.ts';

export const command = defineCommand({
  path: ['object-store', 'link'],
  summary: 'Link an S3-compatible object store',
  description:
    'The command prompts for the secret key or reads the key from stdin. Davit checks the connection before it links the object store. Required role: admin.',
  arguments: {
    object_store: { description: 'name of the object store in Davit' },
    provider: { description: 'provider of the object store (see `davit object-store providers`)' },
    accessKey: { description: 'access key ID' },
  },
  options: {
    ...ENDPOINT,
    account: { value: 'id', description: 'account ID (Cloudflare R2 only)' },
    project: {
      short: 'p',
      value: 'project',
      description: 'project that can use the object store (default: all projects)',
    },
    description: { value: 'text', description: 'description of the object store' },
    noCheck: NO_CHECK,
  },
  examples: [
    {
      line: 'davit object-store link s3 aws AKIAEXAMPLE --region eu-central-1',
      does: 'Link Amazon S3 and enter the secret key at the prompt',
    },
    {
      line: 'cat key | davit object-store link minio generic admin --endpoint http://10.0.0.5:9000',
      does: 'Link another object store and read the secret key from a file',
    },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    const { account, project, description, noCheck } = options;
    const body = {
      name: args.object_store,
      provider: args.provider as 'generic',
      access_key: args.accessKey,
      secret_key: await oneSecret(prompter, 'Secret key:'),
      ...endpointPatch(options),
      ...(account !== undefined && { account }),
      ...(project !== undefined && { project }),
      ...(description !== undefined && { description }),
    };
    const store = await (await client()).linkObjectStore({ query: noCheck ? { check: 'false' } : {}, body });
    out.done(store, `Linked object store ${store.name}.`, store.name);
  },
});
