import { defineCommand } from '../../command.ts';
import { ownAccount } from '../../own-account.ts';
import { keyList } from '../../views/account.ts';

export const command = defineCommand({
  path: ['key', 'list'],
  summary: 'List your own API keys',
  examples: [{ line: 'davit key list', does: 'without their secrets' }],
  async run({ connection, out, world }) {
    out.list(await ownAccount(await connection(), world).keys(), keyList);
  },
});
