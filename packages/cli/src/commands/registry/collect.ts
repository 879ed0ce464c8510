import { bytes, count } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['registry', 'collect'],
  summary: 'Remove unused data from the registry',
  description:
    'Without --now, the command only shows what would be removed. Davit also removes unused data automatically, at the times in the setting registry.collect_cron. Required role: admin.',
  options: { now: { description: 'remove the data now; the registry refuses pushes for a short time' } },
  examples: [
    { line: 'davit registry collect', does: 'Show which data would be removed' },
    { line: 'davit registry collect --now', does: 'Remove unused data now' },
  ],
  async run({ client, out, options }) {
    const query = { dry_run: options.now ? ('false' as const) : ('true' as const) };
    const collection = await (await client()).collectRegistry({ query });
    const { tags, manifests, freed_bytes, dry_run } = collection;
    const what = `${count(tags.length, 'release')}, ${count(manifests, 'image')}, ${bytes(freed_bytes)}`;
    out.done(collection, dry_run ? `Would remove ${what}. To remove the data, add --now.` : `Removed ${what}.`);
  },
});
