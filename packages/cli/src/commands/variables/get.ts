import { defineCommand } from '../../declaration/command.ts';
import { LEVEL, variablesOf } from './level.ts';

export const command = defineCommand({
  path: ['env', 'get'],
  summary: 'Show the variables of an app, an environment or a project',
  description: 'Of an app all that it gets, with where each comes from. Who may not read secrets sees them hidden.',
  arguments: { level: LEVEL },
  options: { own: { description: 'only those of this level, as KEY=value' } },
  examples: [
    { line: 'davit env get shop/production/web', does: 'what the app gets' },
    { line: 'davit env get shop --own', does: 'those of the project' },
  ],
  async run(context) {
    const { out, args, options } = context;
    const variables = await (await variablesOf(args.level, context)).get();
    if (out.isJson) return out.json(variables);
    if (options.own) {
      for (const [key, value] of Object.entries(variables.vars)) out.line(`${key}=${value ?? '(hidden)'}`);
      return;
    }
    out.list(variables.effective, {
      columns: [
        { header: 'name', value: ({ key }) => key, style: () => 'bold' },
        { header: 'value', value: ({ value }) => value ?? '(hidden)' },
        { header: 'from', value: ({ source }) => source },
        { header: 'secret', value: ({ secret }) => (secret ? 'secret' : '') },
      ],
      id: ({ key }) => key,
      empty: 'There is no variable: set one with «davit env set».',
    });
  },
});
