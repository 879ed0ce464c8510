import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../exit.ts';

/** Writes a file that is not there yet, or any with `force`. @throws CliError usage */
export async function writeFresh(cwd: string, name: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(resolve(cwd, name), text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CliError('usage', `${name} is there already: nothing was written. Say --force to overwrite it.`, {
        cause,
      });
    }
    throw new CliError('failed', `${name} cannot be written (${code}).`, { cause });
  }
}
