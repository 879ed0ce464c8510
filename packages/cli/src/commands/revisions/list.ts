import { REVISION_CHANGES } from '@davit/api';
import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['revision', 'list'],
  summary: 'List the revisions of an app, newest first',
  description:
    'Each change of settings or variables creates a revision, including changes to the variables of the environment and the project.',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 50, maximum: 100)' } },
  examples: [
    {
      line: 'davit revision list shop/production/web',
      does: 'Show the history of the settings and variables of an app',
    },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listRevisions({ params, query }), {
      columns: [
        { header: 'revision', value: ({ number }) => number, align: 'right', style: () => 'bold' },
        { header: 'change', value: ({ reason }) => REVISION_CHANGES[reason] },
        { header: 'by', value: ({ changed_by }) => changed_by },
        { header: 'created', value: ({ created_at }) => minute(created_at) },
        { header: 'live', value: ({ live }) => (live ? 'live' : ''), style: () => 'green' },
      ],
      id: ({ number }) => number,
      empty: 'The app has no revisions.',
    });
  },
});
