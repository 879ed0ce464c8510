import { access } from 'node:fs/promises';
import { CliError } from '../errors/exit.ts';

/** Option for commands that write a file. */
export const FORCE = { short: 'f', description: 'overwrite an existing file' } as const;

/**
 * Checks that a file does not exist yet, before a command loads its content.
 * @throws CliError with exit `conflict` if the file exists and `force` is false
 */
export async function demandNewFile(path: string, { force }: { force: boolean }): Promise<void> {
  if (force) return;
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CliError('conflict', `${path} already exists. Name another file, or use --force to overwrite it.`);
}
