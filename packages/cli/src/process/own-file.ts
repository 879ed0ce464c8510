import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a file in the folder `.davit` of a repository. A repository can contain links to files of the user, so neither
 * the folder nor the written file may be a link.
 * @throws Error if the folder is a link, or if the file cannot be written
 */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  await replaceFile(path, text, 0o644);
}
