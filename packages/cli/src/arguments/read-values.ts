import { CliError } from '../errors/exit.ts';
import type { Prompter } from '../prompts/prompter.ts';
import { pairOf } from './values.ts';

/**
 * Parses arguments such as `KEY=value`. For the argument `KEY`, prompts for the value, because other users can see
 * secrets in arguments.
 * @throws CliError with exit `usage`
 */
export async function readValues(texts: readonly string[], prompter: Prompter): Promise<Record<string, string>> {
  const nameless = texts.find((text) => text.startsWith('='));
  if (nameless !== undefined) throw new CliError('usage', `"${nameless}" has no name: write KEY=value.`);
  const read = texts.map((text) => pairOf(text) ?? ([text, null] as const));
  const missing = read.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length === 0) return Object.fromEntries(read) as Record<string, string>;
  if (!prompter.isPossible) {
    if (missing.length > 1)
      throw new CliError('usage', `Only one value can be read from stdin, but ${missing.join(', ')} have no value.`);
    const value = (await prompter.lines()).join('\n');
    return Object.fromEntries(read.map(([name, given]) => [name, given ?? value]));
  }
  const values: Record<string, string> = {};
  for (const [name, value] of read) values[name] = value ?? (await prompter.secret(`Value of ${name}:`));
  return values;
}
