import { DavitError, doneOf, plannedOf } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { changeQuery, showPlanned } from '../../views/deploy-plan.ts';
import { changedVariables, VARIABLE_CHANGE } from './changed.ts';
import { LEVEL, type VariablesOf, variablesOf } from './level.ts';

export const command = defineCommand({
  path: ['env', 'unset'],
  summary: 'Remove variables of an app, an environment or a project',
  description:
    'The change takes effect with the next deployment, or immediately with --deploy. Variables that do not exist are ignored.',
  arguments: { level: LEVEL, names: { description: 'names of the variables to remove', variadic: true } },
  options: VARIABLE_CHANGE,
  examples: [{ line: 'davit env unset shop/production/web LOG_LEVEL', does: 'Remove a variable of an app' }],
  async run(context) {
    const { out, args, options } = context;
    const query = changeQuery(options);
    const variables = await variablesOf(args.level, context);
    const body = { unset: args.names };
    if (options.dryRun) return showPlanned(out, plannedOf(await variables.patch({ query, body })));
    const found = await foundNames(variables, args.names);
    const answer = doneOf(await variables.patch({ query, body }));
    const { noWait } = options;
    const removed = args.names.filter((name) => found.has(name));
    const unknown = args.names.filter((name) => !found.has(name));
    const missing = {
      what: `${unknown.join(', ')} of ${variables.level}`,
      verb: unknown.length > 1 ? 'were not set' : 'was not set',
    };
    if (removed.length === 0) {
      const hasDeployments = !('vars' in answer) && [answer].flat().length > 0;
      if (hasDeployments) await changedVariables(context, answer, { noWait, ...missing });
      else out.done(answer, `${missing.what} ${missing.verb}.`);
      return;
    }
    if (unknown.length > 0) out.note(`${missing.what} ${missing.verb}.`);
    await changedVariables(context, answer, {
      noWait,
      what: `${removed.join(', ')} of ${variables.level}`,
      verb: removed.length > 1 ? 'are removed' : 'is removed',
    });
  },
});

/**
 * Returns the names of variables that exist. If the variables cannot be read, for example because one of them cannot be
 * decrypted, returns all names: such a variable can still be removed.
 */
async function foundNames(variables: VariablesOf, names: readonly string[]): Promise<ReadonlySet<string>> {
  try {
    const { vars } = await variables.get();
    return new Set(names.filter((name) => Object.hasOwn(vars, name)));
  } catch (error) {
    if (!(error instanceof DavitError) || error.code !== 'conflict') throw error;
    return new Set(names);
  }
}
