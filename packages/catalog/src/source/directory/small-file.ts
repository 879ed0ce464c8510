import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a file. Does not follow symbolic links, and does not block on a named pipe. Returns `null` if the file is
 * larger than `maxBytes`.
 * @throws system error
 */
export async function readSmall(path: string, maxBytes: number): Promise<Buffer | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size } = await file.stat();
  return size > maxBytes ? null : await file.readFile();
}
