import { pairsOf } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';
import type { Ask } from '../../prompts/ask.ts';

/**
 * Returns the values of the variables of a DNS provider. The values are asked for one by one, or read from stdin as
 * `NAME=value` lines.
 * @throws CliError usage if stdin has other variables than the named ones
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

/** Returns an error without the text of stdin, which may be a secret. */
function notNamed(): CliError {
  return new CliError(
    'usage',
    'stdin must contain one line NAME=value for each variable in the command, and no other lines.',
  );
}
