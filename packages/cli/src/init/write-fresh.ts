import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { alreadyExists } from '../arguments/new-file.ts';
import { davitFileSchema } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
import { writeOwnFile } from '../process/own-file.ts';
import { SCHEMA_FILE } from './start-file.ts';

/**
 * Writes a new file. Overwrites an existing file only if `force` is true.
 * @throws CliError with exit `conflict` if the file exists and `force` is false
 */
export async function writeFresh(cwd: string, name: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(resolve(cwd, name), text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(name, cause);
    throw new CliError('failed', `${name} cannot be written (${code}).`, { cause });
  }
}

/**
 * Writes the JSON Schema of davit.yaml for editors. Overwrites an existing file, because users do not edit this
 * generated file.
 * @returns path of the JSON Schema, relative to `cwd`
 */
export async function writeSchema(cwd: string, name: string): Promise<string> {
  const path = resolve(dirname(resolve(cwd, name)), SCHEMA_FILE);
  await writeOwnFile(path, `${JSON.stringify(davitFileSchema(), null, 2)}\n`);
  return relative(cwd, path);
}
