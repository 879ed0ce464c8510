import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a whole file. Neither a link nor a pipe is followed or waited for.
 * @returns null when it is larger than `maxBytes`
 * @throws Error of the system when it cannot be read
 */
export async function readSmall(path: string, maxBytes: number): Promise<Buffer | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size } = await file.stat();
  return size > maxBytes ? null : await file.readFile();
}
