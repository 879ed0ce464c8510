import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'unbind'],
  summary: 'Disconnect the external account of the certificate authority',
  description: 'Davit does not delete the account at the certificate authority. Required role: admin.',
  examples: [{ line: 'davit cert unbind', does: 'Remove the external account' }],
  async run({ client, out }) {
    await (await client()).unbindExternalAccount();
    out.done(null, 'Removed the external account.');
  },
});
