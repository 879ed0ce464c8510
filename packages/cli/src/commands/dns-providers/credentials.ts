import { pairsOf } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';
import type { Ask } from '../../prompts/ask.ts';

/**
 * The values of the variables of a DNS provider: asked for one by one, or read from stdin as `NAME=value`, a line each.
 * @throws CliError usage when stdin has others than those that were named
 */
export async function credentialsOf(names: readonly string[], ask: Ask): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (ask.isPossible) {
    for (const name of names) values[name] = await ask.secret(`${name}:`);
    return values;
  }
  const lines = (await ask.lines()).filter((line) => line !== '');
  for (const line of lines) if (!names.includes(line.slice(0, line.indexOf('=')))) throw notNamed();
  Object.assign(values, pairsOf(lines));
  if (names.some((name) => values[name] === undefined)) throw notNamed();
  return values;
}

/** What stood on stdin is not told: it may be a secret. */
function notNamed(): CliError {
  return new CliError(
    'usage',
    'On stdin there must be one line NAME=value for each variable that is named, and no other.',
  );
}
