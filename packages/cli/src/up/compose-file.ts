import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';

/** Matches file names of Compose files. A prefix is allowed, such as in `staging.compose.yaml`. */
export const COMPOSE_NAME = /^([^/]*[.-])?(docker-)?compose([.-][^/]*)?\.ya?ml$/;

export interface ComposeFile {
  /** Path as the user wrote it. */
  path: string;
  text: string;
  /** Name of the folder that contains the file. */
  folder: string;
  /** Text files that the services of the Compose file mount or read variables from. The key is the relative path. */
  files: Readonly<Record<string, string>>;
}

/**
 * Reads a Compose file. Returns `null` if the file name is not the name of a Compose file.
 * @throws CliError with exit `usage` if the file cannot be read
 */
export async function composeFile(cwd: string, path: string | undefined): Promise<ComposeFile | null> {
  if (path === undefined || !COMPOSE_NAME.test(basename(path))) return null;
  const absolute = resolve(cwd, path);
  try {
    const text = await readFile(absolute, 'utf8');
    const { localFilesBeside } = await import('@davit/template/command');
    const files = await localFilesBeside(dirname(absolute), text);
    return { path, text, folder: basename(dirname(absolute)), files };
  } catch (cause) {
    throw new CliError('usage', `${path} cannot be read.`, { cause });
  }
}
