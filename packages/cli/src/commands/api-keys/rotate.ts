import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { shownOnce } from '../../output/shown-once.ts';

export const command = defineCommand({
  path: ['key', 'rotate'],
  summary: 'Rotate the secret of one of your API keys',
  description:
    'The old one is refused at once; the new one is printed this once. Not for the key that you are signed in with: «davit login» makes another.',
  arguments: { key: { description: 'its number' } },
  examples: [{ line: 'davit key rotate 4', does: 'where somebody may know it' }],
  async run({ connection, out, world, args }) {
    const key = await ownAccount(await connection(), world).rotateKey(args.key);
    shownOnce(out, key, key.key, `This is key ${key.id}, «${key.name}», from now on; it is not shown again.`);
  },
});
