import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a file in the folder `.davit` of a Git repository. Neither the folder nor the file may be a link. Otherwise, a
 * malicious repository could overwrite other files of the user.
 * @throws Error if the folder is a link, or if the file cannot be written
 */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  await replaceFile(path, text, 0o644);
}
