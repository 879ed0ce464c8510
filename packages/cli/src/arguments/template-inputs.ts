import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { readValues } from './read-values.ts';
import { pairsOf } from './values.ts';

export const INPUT = {
  short: 'i',
  value: 'key=value',
  repeatable: true,
  description:
    'value of an input (for the keys, see `davit template show`); if you give only the key, the command prompts for the value or reads it from stdin',
} as const;

export const INPUT_FILE = {
  value: 'key=file',
  repeatable: true,
  description: 'file with the value of an input, such as a password; the last line break is removed',
} as const;

interface Given {
  input: readonly string[];
  inputFile: readonly string[];
}

/**
 * Collects the values of template inputs from the options `--input` and `--input-file`.
 * @throws CliError with exit `usage` if an option is invalid or a file cannot be read
 */
export async function answersOf(
  { input, inputFile }: Given,
  { ask: prompter, world: runtime }: Pick<Context, 'ask' | 'world'>,
): Promise<Record<string, string>> {
  const ofFiles: Record<string, string> = {};
  for (const [key, file] of Object.entries(pairsOf(inputFile, 'file of an input')))
    ofFiles[key] = await readAnswer(file, runtime.cwd);
  return { ...ofFiles, ...(await readValues(input, prompter)) };
}

async function readAnswer(file: string, cwd: string): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file), 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
