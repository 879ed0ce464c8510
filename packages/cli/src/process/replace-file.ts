import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file atomically. After a crash, the file has either the old or the new content. If `path` is a link, the
 * file replaces the link, and the target of the link does not change.
 * @param mode permissions of the file
 * @throws the error of the file system
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    // With `wx`, `open` fails if the file exists, and does not follow a link.
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
