import { defineCommand } from '../../declaration/command.ts';
import { bytes, count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['image', 'collect'],
  summary: 'Remove unused images from the engine',
  description: 'Happens by itself every ten minutes. Without --now it is only shown what would go. Admins only.',
  options: { now: { description: 'remove them' } },
  examples: [
    { line: 'davit image collect', does: 'what would go' },
    { line: 'davit image collect --now', does: 'removes it' },
  ],
  async run({ client, out, options }) {
    const query = { dry_run: options.now ? ('false' as const) : ('true' as const) };
    const collection = await (await client()).collectImages({ query });
    const { images, freed_bytes, dry_run } = collection;
    const what = `${count(images.length, 'image')}, ${bytes(freed_bytes)} at most`;
    out.done(collection, dry_run ? `${what} would go: say --now.` : `${what} went.`);
  },
});
