import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['cert', 'bind'],
  summary: 'Set the external account of the certificate authority',
  description: 'For authorities that ask for it. The HMAC key is asked for, or read from stdin. Admins only.',
  arguments: { kid: { description: 'the key id that the authority gave' } },
  examples: [{ line: 'davit cert bind kid-123', does: 'asks for the key' }],
  async run({ client, out, ask, args }) {
    const body = { kid: args.kid, hmac_key: await oneSecret(ask, 'HMAC key, in base64url:') };
    const authority = await (await client()).bindExternalAccount({ body });
    out.done(authority, `Orders at ${authority.name} are bound to ${args.kid}.`, args.kid);
  },
});
