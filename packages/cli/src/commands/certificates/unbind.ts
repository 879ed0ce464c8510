import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'unbind'],
  summary: 'Remove the external account of the certificate authority',
  description: 'An existing account at the certificate authority is kept. Required role: admin.',
  examples: [{ line: 'davit cert unbind', does: 'Remove the external account' }],
  async run({ client, out }) {
    await (await client()).unbindExternalAccount();
    out.done(null, 'Removed the external account.');
  },
});
