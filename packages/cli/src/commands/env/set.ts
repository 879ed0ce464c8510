import { doneOf, plannedOf } from '@davit/api';
import type { Ask } from '../../ask.ts';
import { defineCommand } from '../../command.ts';
import { changeQuery, DRY_RUN_OF_CHANGE, showPlanned } from '../../deploy-plan.ts';
import { CliError } from '../../exit.ts';
import { toldChange } from '../../told-change.ts';
import { pairOf } from '../../values.ts';
import { LEVEL, variablesOf } from '../../variables-argument.ts';

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
    const set = await valuesOf(args.pairs, ask);
    const names = Object.keys(set);
    const body = { set, ...(options.secret && { secret: names }) };
    const query = changeQuery(options);
    const given = await variables.patch({ query, body });
    if (options.dryRun) return showPlanned(out, plannedOf(given));
    const answer = doneOf(given);
    toldChange(out, answer, {
      what: `${names.join(', ')} of ${variables.level}`,
      verb: names.length > 1 ? 'are set' : 'is set',
    });
  },
});

async function valuesOf(pairs: readonly string[], ask: Ask): Promise<Record<string, string>> {
  const read = pairs.map((text) => pairOf(text) ?? ([text, null] as const));
  const asked = read.filter(([, value]) => value === null).map(([name]) => name);
  if (asked.length === 0) return Object.fromEntries(read) as Record<string, string>;
  if (!ask.isPossible) {
    if (asked.length > 1)
      throw new CliError('usage', `Only one value is read from stdin, and ${asked.join(', ')} have none.`);
    const value = (await ask.lines()).join('\n');
    return Object.fromEntries(read.map(([name, given]) => [name, given ?? value]));
  }
  const values: Record<string, string> = {};
  for (const [name, value] of read) values[name] = value ?? (await ask.secret(`Value of ${name}:`));
  return values;
}
