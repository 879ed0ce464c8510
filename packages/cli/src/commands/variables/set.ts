import { doneOf, plannedOf } from '@davit/api';
import { askedValues } from '../../arguments/asked-values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { changeQuery, DRY_RUN_OF_CHANGE, showPlanned } from '../../views/deploy-plan.ts';
import { changedVariables } from './changed.ts';
import { LEVEL, variablesOf } from './level.ts';

export const command = defineCommand({
  path: ['env', 'set'],
  summary: 'Set variables of an app, an environment or a project',
  description:
    'A name without a value is asked for, or read from stdin: what stands in arguments is seen by everybody on this machine and kept in the shell’s history. It takes effect with the next deploy, or with --deploy.',
  arguments: { level: LEVEL, pairs: { description: 'KEY=value, or KEY alone', variadic: true } },
  options: {
    secret: { short: 's', description: 'hide their values from who may only look' },
    deploy: { description: 'deploy at once every live app that it makes a difference to' },
    dryRun: DRY_RUN_OF_CHANGE,
  },
  examples: [
    { line: 'davit env set shop/production/web LOG_LEVEL=debug', does: 'one variable' },
    { line: 'davit env set shop DATABASE_URL --secret', does: 'asks for the value' },
    { line: 'davit env set shop REGION=eu --dry-run', does: 'which apps it would deploy' },
    { line: 'pass show db | davit env set shop/production DATABASE_URL -s', does: 'from a program' },
  ],
  async run(context) {
    const { out, ask, args, options } = context;
    const variables = await variablesOf(args.level, context);
    const set = await askedValues(args.pairs, ask);
    const names = Object.keys(set);
    const body = { set, ...(options.secret && { secret: names }) };
    const query = changeQuery(options);
    const given = await variables.patch({ query, body });
    if (options.dryRun) return showPlanned(out, plannedOf(given));
    const answer = doneOf(given);
    changedVariables(out, answer, {
      what: `${names.join(', ')} of ${variables.level}`,
      verb: names.length > 1 ? 'are set' : 'is set',
    });
  },
});
