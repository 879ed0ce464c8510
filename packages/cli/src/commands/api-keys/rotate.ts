import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { shownOnce } from '../../output/shown-once.ts';

export const command = defineCommand({
  path: ['key', 'rotate'],
  summary: 'Rotate the secret of one of your API keys',
  description:
    'The old API key stops working immediately. The command prints the new API key once. You cannot rotate the API key with which you are signed in: run `davit login` instead.',
  arguments: { key: { description: 'ID of the API key (see `davit key list`)' } },
  examples: [{ line: 'davit key rotate 4', does: 'Replace the secret of API key 4' }],
  async run({ connection, out, world: runtime, args }) {
    const key = await ownAccount(await connection(), runtime).rotateKey(args.key);
    shownOnce(out, key, key.key, `Rotated API key ${key.id} (${key.name}). Davit does not show the new secret again.`);
  },
});
