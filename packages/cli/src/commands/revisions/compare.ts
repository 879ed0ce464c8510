import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['revision', 'compare'],
  summary: 'Show the differences between two revisions',
  arguments: { app: APP_FIRST, revision: { description: 'number of the revision (see `davit revision list`)' } },
  options: {
    to: { value: 'revision', description: 'number of the revision to compare with (default: the newest revision)' },
  },
  examples: [
    {
      line: 'davit revision compare shop/production/web 7 --to 9',
      does: 'Show the changes from revision 7 to revision 9',
    },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = { ...(await appOf(args.app, context)), revision: args.revision };
    const query = { ...(options.to !== undefined && { to: options.to }) };
    const comparison = await (await client()).compareRevisions({ params, query });
    if (out.isJson) return out.json(comparison);
    const { settings, variables } = comparison;
    for (const { path, from, to } of settings) out.line(`${path}: ${words(from)} → ${words(to)}`);
    for (const { key, from, to, secret, change } of variables) {
      out.line(secret ? `${key} ${change}` : `${key}: ${from ?? '–'} → ${to ?? '–'}`);
    }
    if (settings.length + variables.length === 0) out.line('No differences.');
  },
});

function words(value: unknown): string {
  return value === undefined ? '–' : JSON.stringify(value);
}
