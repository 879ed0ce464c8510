import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';

/** As Compose itself looks for it, and with something before: `staging.compose.yaml`. */
const COMPOSE = /(^|[/.-])(docker-)?compose([.-][^/]*)?\.ya?ml$/;

/**
 * The Compose file that is meant; null: it is not one by its name.
 * @throws CliError usage when it cannot be read
 */
export async function composeText(cwd: string, file: string | undefined): Promise<string | null> {
  if (file === undefined || !COMPOSE.test(file)) return null;
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
