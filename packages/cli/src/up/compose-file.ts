import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';

/** Matches file names of Compose files. The name may have a prefix, such as in `staging.compose.yaml`. */
export const COMPOSE_NAME = /^([^/]*[.-])?(docker-)?compose([.-][^/]*)?\.ya?ml$/;

export interface ComposeFile {
  /** Path of the Compose file as the user entered it. */
  path: string;
  text: string;
  /** Name of the folder that contains the Compose file. */
  folder: string;
  /**
   * Map from relative path to content of a text file. The services of the Compose file mount these files or read
   * variables from them.
   */
  files: Readonly<Record<string, string>>;
}

/**
 * Reads a Compose file. Returns `null` if the file does not have the name of a Compose file.
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
