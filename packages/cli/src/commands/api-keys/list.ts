import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { keyList } from '../../views/user.ts';

export const command = defineCommand({
  path: ['key', 'list'],
  summary: 'List your own API keys',
  examples: [{ line: 'davit key list', does: 'List your API keys' }],
  async run({ connection, out, world: runtime }) {
    out.list(await ownAccount(await connection(), runtime).keys(), keyList);
  },
});
