import { defineCommand } from '../../declaration/command.ts';
import { bytes, count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['registry', 'collect'],
  summary: 'Remove unused data from the registry',
  description:
    'Happens by itself at the times of the setting registry.collect_cron. Without --now it is only shown what would go. Admins only.',
  options: { now: { description: 'remove it; the registry takes no pushes for a moment' } },
  examples: [
    { line: 'davit registry collect', does: 'what would go' },
    { line: 'davit registry collect --now', does: 'removes it' },
  ],
  async run({ client, out, options }) {
    const query = { dry_run: options.now ? ('false' as const) : ('true' as const) };
    const collection = await (await client()).collectRegistry({ query });
    const { tags, manifests, freed_bytes, dry_run } = collection;
    const what = `${count(tags.length, 'release')}, ${count(manifests, 'image')}, ${bytes(freed_bytes)}`;
    out.done(collection, dry_run ? `${what} would go: say --now.` : `${what} went.`);
  },
});
