import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'unbind'],
  summary: 'Remove the external account of the certificate authority',
  description: 'An account that was made with it stays. Admins only.',
  examples: [{ line: 'davit cert unbind', does: 'orders are bound to nothing' }],
  async run({ client, out }) {
    await (await client()).unbindExternalAccount();
    out.done(null, 'The account is forgotten.');
  },
});
