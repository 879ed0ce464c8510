import { pairsOf } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';
import type { Prompter } from '../../prompts/prompter.ts';

/**
 * Reads the credentials of a DNS provider from prompts, or from stdin as lines such as `NAME=value`.
 * @throws CliError with exit `usage` if a variable is missing or unknown
 */
export async function credentialsOf(names: readonly string[], prompter: Prompter): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (prompter.isPossible) {
    for (const name of names) values[name] = await prompter.secret(`${name}:`);
    return values;
  }
  const lines = (await prompter.lines()).filter((line) => line !== '');
  for (const line of lines) if (!names.includes(line.slice(0, line.indexOf('=')))) throw notNamed();
  Object.assign(values, pairsOf(lines, 'credential'));
  if (names.some((name) => values[name] === undefined)) throw notNamed();
  return values;
}

/**
 * Returns the error for invalid input from stdin. The error message does not contain the input, because it contains
 * secrets.
 */
function notNamed(): CliError {
  return new CliError('usage', 'stdin must contain exactly one line NAME=value for each variable name in the command.');
}
