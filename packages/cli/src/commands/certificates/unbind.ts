import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'unbind'],
  summary: 'Stop using your account at the certificate authority (external account binding)',
  description: 'Your account at the certificate authority stays. Required role: admin.',
  examples: [{ line: 'davit cert unbind', does: 'Stop using your account at the certificate authority' }],
  async run({ client, out }) {
    await (await client()).unbindExternalAccount();
    out.done(null, 'Removed the external account.');
  },
});
