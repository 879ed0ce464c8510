import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['cert', 'bind'],
  summary: 'Request certificates with your account at a certificate authority (external account binding)',
  description:
    'Some certificate authorities issue certificates only to customers with an account on their website. With external account binding (EAB), Davit uses this account. The command prompts for the HMAC key of the account, or reads the HMAC key from stdin. Required role: admin.',
  arguments: { kid: { description: 'key ID from the certificate authority' } },
  examples: [
    {
      line: 'davit cert bind kid-123',
      does: 'Connect your account with its key ID, and enter its HMAC key at the prompt',
    },
  ],
  async run({ client, out, ask: prompter, args }) {
    const body = { kid: args.kid, hmac_key: await oneSecret(prompter, 'HMAC key, in base64url:') };
    const authority = await (await client()).bindExternalAccount({ body });
    out.done(
      authority,
      `Davit now requests certificates from ${authority.name} with the external account ${args.kid}.`,
      args.kid,
    );
  },
});
