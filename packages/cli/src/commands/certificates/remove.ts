import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['cert', 'remove'],
  summary: 'Remove a certificate',
  description:
    'Davit requests new certificates for the hosts of the removed certificate, unless another certificate covers them. Required role: admin.',
  arguments: { id: { description: 'ID of the certificate (see `davit cert list`)' } },
  examples: [{ line: 'davit cert remove 3', does: 'Remove certificate 3 after confirmation' }],
  async run({ client, out, ask: prompter, globals, args }) {
    const params = { certificate: args.id };
    const api = await client();
    const { hosts } = await api.getCertificate({ params });
    const what = `This removes the certificate of ${hosts.join(', ')}`;
    await confirm({ what, name: args.id }, { ask: prompter, yes: globals.yes });
    await api.removeCertificate({ params });
    out.done(null, `Removed certificate ${args.id}.`);
  },
});
