import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['cert', 'remove'],
  summary: 'Remove a certificate',
  description: 'Hosts that want one get one ordered. Admins only.',
  arguments: { number: { description: 'as the list shows it' } },
  examples: [{ line: 'davit cert remove 3', does: 'asks for its number first' }],
  async run({ client, out, ask, globals, args }) {
    const params = { certificate: args.number };
    const api = await client();
    const { hosts } = await api.getCertificate({ params });
    const what = `This removes the certificate of ${hosts.join(', ')}`;
    await confirm({ what, name: args.number }, { ask, yes: globals.yes });
    await api.removeCertificate({ params });
    out.done(null, `Certificate ${args.number} is removed.`);
  },
});
