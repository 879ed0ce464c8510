import { count, type DoubtfulLine, doneOf, plannedOf, readEnvFile } from '@davit/api';
import { readBounded } from '../../arguments/read-bounded.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';
import { changeQuery, showPlanned } from '../../views/deploy-plan.ts';
import { changedVariables, VARIABLE_CHANGE } from './changed.ts';
import { batchesOf, demandValid, type ImportedVariables } from './imported.ts';
import { LEVEL, variablesOf } from './level.ts';

/**
 * Maximum size of an `.env` file in bytes. Because of escape sequences, the file can be six times larger than its
 * variables, which have at most 1 MiB.
 */
const MOST_FILE_BYTES = 8 * 1_048_576;

/** Maximum number of line numbers in a warning. */
const MOST_LINES = 20;

export const command = defineCommand({
  path: ['env', 'import'],
  summary: 'Set the variables in an .env file',
  description:
    'Reads the file as the npm library dotenv does: with quotes, comments and values of several lines, but without expanding variables such as $HOME. Variables that are not in the file do not change. Before the command overwrites a variable, it asks for a confirmation. The change takes effect with the next deployment, or immediately with --deploy.',
  arguments: {
    level: LEVEL,
    file: { description: 'path of the .env file, or "-" for stdin', completes: 'file' },
  },
  options: {
    secret: { short: 's', description: 'hide the values from users without the permission to read secrets' },
    ...VARIABLE_CHANGE,
  },
  examples: [
    { line: 'davit env import shop/production/web .env', does: 'Set the variables in a file' },
    { line: 'sops -d secrets.env | davit env import shop/production - --secret', does: 'Set secrets from stdin' },
    { line: 'davit env import shop .env --dry-run', does: 'Show what the file would change' },
  ],
  async run(context) {
    const { out, args, options, globals, ask: prompter, world: runtime } = context;
    const name = args.file === '-' ? 'stdin' : args.file;
    const read = readEnvFile(await readBounded(args.file, MOST_FILE_BYTES, runtime));
    warn(out, name, read.doubtful);
    demandValid(read.variables, name);
    const batches = batchesOf(read.variables);
    if (options.dryRun && batches.length > 1) {
      throw new CliError('usage', `${name} is too large for --dry-run. Divide it into several files.`);
    }
    const variables = await variablesOf(args.level, context);
    let etag: string | null = null;
    const before = await variables.get({ onHeaders: (headers) => (etag = headers.get('etag')) });
    const overwritten = showChanges(out, read.variables, before.vars);
    if (overwritten > 0 && !options.dryRun) {
      const what = `This overwrites ${count(overwritten, 'variable')} of ${variables.level}`;
      await confirm({ what, name: variables.level }, { ask: prompter, yes: globals.yes });
    }

    const send = (set: Record<string, string>, query: ReturnType<typeof changeQuery>) => {
      // Only the first request checks that the variables have not changed since the CLI showed them to the user.
      const match = etag === null ? {} : { ifMatch: etag };
      etag = null;
      return variables.patch({ query, body: { set, ...(options.secret && { secret: Object.keys(set) }) }, ...match });
    };
    const last = batches.pop() ?? {};
    for (const batch of batches) await send(batch, {});
    const given = await send(last, changeQuery(options));
    if (options.dryRun) return showPlanned(out, plannedOf(given));
    await changedVariables(context, doneOf(given), {
      noWait: options.noWait,
      what: `${count(read.variables.size, 'variable')} of ${variables.level}`,
      verb: read.variables.size > 1 ? 'are set' : 'is set',
    });
  },
});

/**
 * Prints a warning with the numbers of lines that are probably mistakes. The lines are not printed, because they can
 * contain secrets.
 */
function warn(out: Context['out'], name: string, doubtful: readonly DoubtfulLine[]): void {
  const linesOf = (why: DoubtfulLine['why']) => doubtful.filter((one) => one.why === why).map(({ line }) => line);
  const ignored = linesOf('no_variable');
  if (ignored.length > 0)
    out.note(`Warning: ${name} has no variable in these lines, which are ignored: ${listed(ignored)}.`, 'yellow');
  const open = linesOf('open_quote');
  if (open.length > 0)
    out.note(
      `Warning: ${name} has values without a closing quote in these lines: ${listed(open)}. The quote becomes part of the value.`,
      'yellow',
    );
  const cut = linesOf('cut_value');
  if (cut.length > 0)
    out.note(
      `Warning: ${name} has values that end before “#” in these lines: ${listed(cut)}. To keep the rest, put the value in quotes.`,
      'yellow',
    );
}

function listed(lines: readonly number[]): string {
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return `${lines.slice(0, MOST_LINES).join(', ')}${more}`;
}

/**
 * Prints the names of the variables that the import adds or overwrites.
 * @param before values before the import. `null` means that the user cannot read the value. Such a variable is treated
 * as overwritten
 * @returns number of existing variables that get another value
 */
function showChanges(
  out: Context['out'],
  variables: ImportedVariables,
  before: Readonly<Record<string, string | null>>,
): number {
  let overwritten = 0;
  for (const [name, { value }] of variables) {
    const isNew = !Object.hasOwn(before, name);
    if (isNew) out.note(`+ ${name}`, 'green');
    else if (before[name] !== value) {
      out.note(`~ ${name}`, 'yellow');
      overwritten++;
    }
  }
  return overwritten;
}
