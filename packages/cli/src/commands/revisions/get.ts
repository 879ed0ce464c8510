import { REVISION_CHANGES } from '@davit/api';
import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['revision', 'get'],
  summary: 'Show a revision: its settings and variables',
  arguments: { app: APP_FIRST, revision: { description: 'number of the revision (see `davit revision list`)' } },
  examples: [{ line: 'davit revision get shop/production/web 7', does: 'Show revision 7' }],
  async run(context) {
    const params = { ...(await appOf(context.args.app, context)), revision: context.args.revision };
    const revision = await (await context.client()).getRevision({ params });
    const { number, reason, changed_by, created_at, settings, variables } = revision;
    context.out.record(
      revision,
      [
        ['revision', number, 'bold'],
        ['change', `${REVISION_CHANGES[reason]}, by ${changed_by}, ${minute(created_at)}`],
        ['settings', Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)],
        ['variables', variables.map(({ key, value, source }) => `${key}=${value ?? '(hidden)'}  (${source})`)],
      ],
      number,
    );
  },
});
