import { bytes, count } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['image', 'collect'],
  summary: 'Remove unused images from the server',
  description:
    'Without --now, the command only shows what would be removed. Davit also removes unused images automatically, every ten minutes. Required role: admin.',
  options: { now: { description: 'remove the images now' } },
  examples: [
    { line: 'davit image collect', does: 'Show which images would be removed' },
    { line: 'davit image collect --now', does: 'Remove unused images now' },
  ],
  async run({ client, out, options }) {
    const query = { dry_run: options.now ? ('false' as const) : ('true' as const) };
    const collection = await (await client()).collectImages({ query });
    const { images, freed_bytes, dry_run } = collection;
    const what = `${count(images.length, 'image')}, at most ${bytes(freed_bytes)}`;
    out.done(collection, dry_run ? `Would remove ${what}. To remove the images, add --now.` : `Removed ${what}.`);
  },
});
