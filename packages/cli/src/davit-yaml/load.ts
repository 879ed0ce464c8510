/** Finds and reads the `davit.yaml` that a command is about. */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { showMistake } from './excerpt.ts';
import { FILE_NAME, nearestFile } from './find.ts';
import { parseDavitFile } from './parse.ts';
import type { DavitFile } from './schema.ts';

export interface Loaded {
  file: DavitFile;
  /** The folder that it is in. */
  folder: string;
  /** As people are told of it. */
  name: string;
}

/**
 * @param given as on the command line; undefined: the one of the present folder, or of the nearest one above
 * @throws CliError usage, after every mistake was shown where it is
 */
export async function loadDavitFile({ world, out }: Pick<Context, 'world' | 'out'>, given?: string): Promise<Loaded> {
  const path =
    given === undefined ? ((await nearestFile(world.cwd)) ?? join(world.cwd, FILE_NAME)) : resolve(world.cwd, given);
  const name = relative(world.cwd, path) || path;
  const text = await read(path, name);
  const parsed = parseDavitFile(text);
  if (parsed.ok) return { file: parsed.file, folder: dirname(path), name };
  const { mistakes } = parsed;
  if (out.isJson) {
    throw new CliError('usage', mistakes.map((one) => `${name}:${one.line}:${one.column}: ${one.message}`).join('; '));
  }
  for (const mistake of mistakes) out.explain(`${showMistake(name, text, mistake)}\n`);
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  throw new CliError('usage', `${name} has ${count}: nothing was done.`);
}

async function read(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === 'ENOENT'
        ? `There is no ${name} here: write one with «davit init», or name another file with --file.`
        : `${name} cannot be read (${code}).`;
    throw new CliError('usage', message, { cause });
  }
}
