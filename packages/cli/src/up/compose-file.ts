import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';

/** Matches file names of Compose files. A prefix is allowed, such as in `staging.compose.yaml`. */
const COMPOSE = /(^|[/.-])(docker-)?compose([.-][^/]*)?\.ya?ml$/;

/**
 * Returns the text of a Compose file, or `null` if the name is not that of a Compose file.
 * @throws CliError with exit `usage` if the file cannot be read
 */
export async function composeText(cwd: string, file: string | undefined): Promise<string | null> {
  if (file === undefined || !COMPOSE.test(file)) return null;
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
