import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { askedValues } from './asked-values.ts';
import { pairsOf } from './values.ts';

export const INPUT = {
  short: 'i',
  value: 'key=value',
  repeatable: true,
  description: 'an answer; «davit template show» lists what is asked; a key alone: asked for, or read from stdin',
} as const;

export const INPUT_FILE = {
  value: 'key=file',
  repeatable: true,
  description: 'an answer that a file holds, such as a password, without its last line end',
} as const;

interface Given {
  input: readonly string[];
  inputFile: readonly string[];
}

/**
 * Returns the answers for the inputs of a template.
 * @throws CliError usage
 */
export async function answersOf(
  { input, inputFile }: Given,
  { ask, world }: Pick<Context, 'ask' | 'world'>,
): Promise<Record<string, string>> {
  const ofFiles: Record<string, string> = {};
  for (const [key, file] of Object.entries(pairsOf(inputFile, 'file of an answer')))
    ofFiles[key] = await readAnswer(file, world.cwd);
  return { ...ofFiles, ...(await askedValues(input, ask)) };
}

async function readAnswer(file: string, cwd: string): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file), 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
