import { bytes, type Release } from '@davit/api';
import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { ListView } from '../../output/printer.ts';
import { minute } from '../../output/words.ts';

const DIGEST_LENGTH = 'sha256:'.length + 12;

export const command = defineCommand({
  path: ['release', 'list'],
  summary: 'List the releases of an app, newest first',
  description: 'Each release is an image tag that was pushed to the registry of the instance.',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' } },
  examples: [{ line: 'davit release list shop/production/web', does: 'List the releases that you can deploy' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listReleases({ params, query }), releaseList);
  },
});

const releaseList: ListView<Release> = {
  columns: [
    { header: 'tag', value: ({ tag }) => tag, style: () => 'bold' },
    { header: 'pushed', value: ({ pushed_at }) => minute(pushed_at) },
    { header: 'by', value: ({ pushed_by }) => pushed_by },
    { header: 'size', value: (one) => (one.bytes === null ? null : bytes(one.bytes)), align: 'right' },
    { header: 'deployed', value: ({ live, deployment }) => (live ? 'live' : deployment) },
    { header: 'digest', value: ({ digest }) => digest.slice(0, DIGEST_LENGTH) },
  ],
  id: ({ tag }) => tag,
  empty: 'No releases found. Push an image, or run: davit up',
};
