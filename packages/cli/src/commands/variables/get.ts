import { defineCommand } from '../../declaration/command.ts';
import { LEVEL, variablesOf } from './level.ts';

export const command = defineCommand({
  path: ['env', 'get'],
  summary: 'Show the variables of an app, an environment or a project',
  description:
    'For an app, shows all variables and where each variable is set: in the project, the environment or the app. Secret values are hidden from users without the permission to read secrets.',
  arguments: { level: LEVEL },
  options: {
    own: {
      description:
        'print only the variables that are set directly on this project, environment or app, as KEY=value lines',
    },
  },
  examples: [
    { line: 'davit env get shop/production/web', does: 'Show all variables of an app' },
    { line: 'davit env get shop --own', does: 'Show the variables that are set for the project' },
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
      empty: 'No variables found. Set a variable: davit env set <project, environment or app> KEY=value',
    });
  },
});
