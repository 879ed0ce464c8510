import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['key', 'revoke'],
  summary: 'Revoke one of your API keys',
  arguments: { key: { description: 'ID of the API key (see `davit key list`)' } },
  examples: [{ line: 'davit key revoke 4', does: 'Revoke API key 4 after confirmation' }],
  async run({ connection, out, world: runtime, ask: prompter, globals, args: { key } }) {
    await confirm({ what: `This revokes API key ${key}`, name: key }, { ask: prompter, yes: globals.yes });
    await ownAccount(await connection(), runtime).revokeKey(key);
    out.done(null, `Revoked API key ${key}.`);
  },
});
