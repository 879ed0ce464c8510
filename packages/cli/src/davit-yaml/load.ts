/** Finds and reads the davit.yaml for a CLI command. */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { FILE_NAME, nearestFile } from './find.ts';
import { parseDavitFile } from './parse.ts';
import { refusedFile } from './refuse.ts';
import type { DavitFile } from './schema.ts';

export interface Loaded {
  file: DavitFile;
  /** Folder that contains the davit.yaml. */
  folder: string;
  /** Path of the davit.yaml for messages, relative to the current folder. */
  name: string;
}

/**
 * Loads a davit.yaml. If the file has errors, prints each error and then throws.
 * @param given path of the file. `undefined` means to search the current folder and its parents
 * @throws CliError with exit `usage`
 */
export async function loadDavitFile(
  { world: runtime, out }: Pick<Context, 'world' | 'out'>,
  given?: string,
): Promise<Loaded> {
  const path =
    given === undefined
      ? ((await nearestFile(runtime.cwd)) ?? join(runtime.cwd, FILE_NAME))
      : resolve(runtime.cwd, given);
  const name = relative(runtime.cwd, path) || path;
  const text = await read(path, name);
  const parsed = parseDavitFile(text);
  if (parsed.ok) return { file: parsed.file, folder: dirname(path), name };
  throw refusedFile({ out }, name, text, parsed.mistakes);
}

async function read(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === 'ENOENT'
        ? `${name} not found. Create the file with \`davit init\`, or name another file with --file.`
        : `${name} cannot be read (${code}).`;
    throw new CliError('usage', message, { cause });
  }
}
