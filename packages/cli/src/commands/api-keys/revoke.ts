import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['key', 'revoke'],
  summary: 'Revoke one of your API keys',
  arguments: { key: { description: 'its number' } },
  examples: [{ line: 'davit key revoke 4', does: 'asks for its number first' }],
  async run({ connection, out, world, ask, globals, args: { key } }) {
    await confirm({ what: `Key ${key} will be refused from now on`, name: key }, { ask, yes: globals.yes });
    await ownAccount(await connection(), world).revokeKey(key);
    out.done(null, `Key ${key} is revoked.`);
  },
});
