import { access } from 'node:fs/promises';
import { CliError } from '../errors/exit.ts';

/** Option `--force` of commands that create a file. */
export const FORCE = { short: 'f', description: 'overwrite an existing file' } as const;

/**
 * Checks that a file does not exist yet.
 * @throws CliError with exit `conflict` if the file exists and `force` is false
 */
export async function demandNewFile(path: string, { force }: { force: boolean }): Promise<void> {
  if (force || !(await isThere(path))) return;
  throw alreadyExists(path);
}

/** Returns the error for an existing file that the command does not overwrite. */
export function alreadyExists(path: string, cause?: unknown): CliError {
  const message = `${path} already exists. Choose another file, or use --force to overwrite this file.`;
  return new CliError('conflict', message, { cause });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // If the check fails, the file is treated as missing. Writing the file later reports the actual error.
    return false;
  }
}
