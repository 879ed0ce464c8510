import { doneOf, plannedOf } from '@davit/api';
import { readValues } from '../../arguments/read-values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { changeQuery, showPlanned } from '../../views/deploy-plan.ts';
import { changedVariables, VARIABLE_CHANGE } from './changed.ts';
import { LEVEL, variablesOf } from './level.ts';

export const command = defineCommand({
  path: ['env', 'set'],
  summary: 'Set variables of an app, an environment or a project',
  description:
    'To set a secret, write only the key. The command then prompts for the value or reads the value from stdin. The value does not appear in the shell history. The change takes effect with the next deployment, or immediately with --deploy.',
  arguments: {
    level: LEVEL,
    pairs: {
      description:
        'variables to set, as KEY=value; if you give only KEY, the command prompts for the value or reads it from stdin',
      variadic: true,
    },
  },
  options: {
    secret: { short: 's', description: 'hide the values from users without the permission to read secrets' },
    ...VARIABLE_CHANGE,
  },
  examples: [
    { line: 'davit env set shop/production/web LOG_LEVEL=debug', does: 'Set a variable' },
    { line: 'davit env set shop DATABASE_URL --secret', does: 'Set a secret and enter the value at the prompt' },
    { line: 'davit env set shop REGION=eu --dry-run', does: 'Show what a variable would change, without setting it' },
    {
      line: 'pass show db | davit env set shop/production DATABASE_URL -s',
      does: 'Set a secret to a value from stdin',
    },
  ],
  async run(context) {
    const { out, ask: prompter, args, options } = context;
    const variables = await variablesOf(args.level, context);
    const set = await readValues(args.pairs, prompter);
    const names = Object.keys(set);
    const body = { set, ...(options.secret && { secret: names }) };
    const query = changeQuery(options);
    const given = await variables.patch({ query, body });
    if (options.dryRun) return showPlanned(out, plannedOf(given));
    const answer = doneOf(given);
    await changedVariables(context, answer, {
      noWait: options.noWait,
      what: `${names.join(', ')} of ${variables.level}`,
      verb: names.length > 1 ? 'are set' : 'is set',
    });
  },
});
