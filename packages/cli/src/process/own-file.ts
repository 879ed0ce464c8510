import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file in the folder `.davit` of a repository. A repository can contain links to files of the user, so neither
 * the folder nor the written file may be a link.
 * @throws Error if the folder is a link, or if the file cannot be written
 */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  const temporary = `${path}.${randomUUID()}`;
  try {
    // With `wx`, the call fails if the name exists, and does not follow a link.
    await writeFile(temporary, text, { flag: 'wx' });
    // If `path` is a link, `rename` replaces the link and does not follow it.
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
