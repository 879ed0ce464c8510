import { doneOf } from '@davit/api';
import { defineCommand } from '../../command.ts';
import { toldChange } from '../../told-change.ts';
import { LEVEL, variablesOf } from '../../variables-argument.ts';

export const command = defineCommand({
  path: ['env', 'unset'],
  summary: 'Remove variables of an app, an environment or a project',
  description: 'It takes effect with the next deploy, or with --deploy. One that is not there is fine.',
  arguments: { level: LEVEL, names: { description: 'their names', variadic: true } },
  options: { deploy: { description: 'deploy at once every live app that it makes a difference to' } },
  examples: [{ line: 'davit env unset shop/production/web LOG_LEVEL', does: 'what its environment says holds again' }],
  async run(context) {
    const { out, args, options } = context;
    const query = { ...(options.deploy && { deploy: 'true' as const }) };
    const variables = await variablesOf(args.level, context);
    const answer = doneOf(await variables.patch({ query, body: { unset: args.names } }));
    toldChange(out, answer, {
      what: `${args.names.join(', ')} of ${variables.level}`,
      verb: args.names.length > 1 ? 'are gone' : 'is gone',
    });
  },
});
