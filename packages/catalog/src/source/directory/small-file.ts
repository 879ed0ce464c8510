import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a complete file. Symbolic links are not followed, and a named pipe does not block.
 * @returns `null` if the file is larger than `maxBytes`
 * @throws system error if the file cannot be read
 */
export async function readSmall(path: string, maxBytes: number): Promise<Buffer | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size } = await file.stat();
  return size > maxBytes ? null : await file.readFile();
}
