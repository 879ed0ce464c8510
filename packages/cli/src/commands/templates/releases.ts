import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';
import { TEMPLATE, templateOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'releases'],
  summary: 'List the releases of a template, newest first',
  arguments: { template: TEMPLATE },
  examples: [{ line: 'davit template releases acme/wiki', does: 'List the releases that you can pass to `--release`' }],
  async run({ client, out, args }) {
    const answer = await (await client()).listTemplateReleases({ params: templateOf(args.template) });
    if (out.isJson) return out.json(answer);
    out.list(answer.releases, {
      columns: [
        { header: 'release', value: ({ tag }) => tag, style: () => 'bold' },
        { header: 'published', value: ({ published_at }) => minute(published_at) },
        { header: 'commit', value: ({ commit }) => commit.slice(0, 12) },
      ],
      id: ({ tag }) => tag,
      empty: 'The template has no installable releases.',
    });
  },
});
