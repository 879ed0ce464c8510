import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['cert', 'bind'],
  summary: 'Connect an external account of the certificate authority (external account binding)',
  description:
    'Some certificate authorities require an external account. The command prompts for the HMAC key or reads the key from stdin. Required role: admin.',
  arguments: { kid: { description: 'key ID from the certificate authority' } },
  examples: [{ line: 'davit cert bind kid-123', does: 'Set the external account and prompt for the HMAC key' }],
  async run({ client, out, ask, args }) {
    const body = { kid: args.kid, hmac_key: await oneSecret(ask, 'HMAC key, in base64url:') };
    const authority = await (await client()).bindExternalAccount({ body });
    out.done(
      authority,
      `Davit now requests certificates from ${authority.name} with the external account ${args.kid}.`,
      args.kid,
    );
  },
});
