import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['revision', 'list'],
  summary: 'List the revisions of an app, newest first',
  description:
    'Every change of settings or variables is one, also of the variables of its environment and its project.',
  arguments: { app: APP },
  options: { limit: { short: 'n', value: 'n', description: 'how many; 50 unless given, 100 at most' } },
  examples: [{ line: 'davit revision list shop/production/web', does: 'who changed what, and when' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const query = { ...(options.limit !== undefined && { limit: options.limit }) };
    out.list(await (await client()).listRevisions({ params, query }), {
      columns: [
        { header: 'revision', value: ({ number }) => number, align: 'right', style: () => 'bold' },
        { header: 'what', value: ({ reason }) => reason },
        { header: 'by', value: ({ changed_by }) => changed_by },
        { header: 'at', value: ({ created_at }) => minute(created_at) },
        { header: 'live', value: ({ live }) => (live ? 'live' : ''), style: () => 'green' },
      ],
      id: ({ number }) => number,
      empty: 'The app has no revision.',
    });
  },
});
