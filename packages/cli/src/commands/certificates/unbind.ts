import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'unbind'],
  summary: 'Stop using your customer account at the certificate authority (external account binding)',
  description:
    'After this command, Davit requests certificates without your account at the certificate authority. The account itself is not deleted. Required role: admin.',
  examples: [{ line: 'davit cert unbind', does: 'Disconnect your account at the certificate authority' }],
  async run({ client, out }) {
    await (await client()).unbindExternalAccount();
    out.done(null, 'Davit no longer uses your account at the certificate authority.');
  },
});
