/**
 * ID of a Compose file, stored in `.davit/compose.json` next to the Compose file. An installation on the instance has
 * the same ID. Therefore, another Compose file for the same project cannot replace the installation by mistake.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { writeOwnFile } from '../process/own-file.ts';
import { YAML_NAME } from './compose-file.ts';

const FOLDER = '.davit';
const NAME = 'compose.json';
const VALID = /^[A-Za-z0-9-]{8,64}$/;
/**
 * Maximum size of `.davit/compose.json` in bytes. The size is limited because the file can come from an untrusted
 * repository.
 */
const MAX_BYTES = 64 * 1024;

/**
 * Returns the stored ID of a Compose file. Returns `null` if the Compose file has no ID yet.
 * @throws CliError with exit `usage` if `.davit/compose.json` is invalid
 */
export async function fileIdOf(cwd: string, file: string): Promise<string | null> {
  return (await readIds(pathOf(cwd, file))).get(basename(file)) ?? null;
}

export function newFileId(): string {
  return randomUUID();
}

/**
 * Stores the ID of a Compose file. Call this function before the installation starts, so that nothing has been changed
 * if the ID cannot be stored. If the instance will refuse the installation, do not call the function.
 * @throws CliError with exit `failed` if `.davit/compose.json` cannot be written
 */
export async function storeFileId(cwd: string, file: string, id: string): Promise<void> {
  const path = pathOf(cwd, file);
  const ids = await readIds(path);
  if (ids.get(basename(file)) === id) return;
  ids.set(basename(file), id);
  try {
    await writeOwnFile(path, `${JSON.stringify({ files: Object.fromEntries(ids) }, null, 2)}\n`);
  } catch (cause) {
    throw new CliError(
      'failed',
      `${path} cannot be written. Davit stores the ID of the Compose file there. Nothing was changed.`,
      { cause },
    );
  }
}

function pathOf(cwd: string, file: string): string {
  return join(dirname(resolve(cwd, file)), FOLDER, NAME);
}

async function readIds(path: string): Promise<Map<string, string>> {
  const ids = await textOf(path).then((text) => (text === null ? new Map<string, string>() : idsIn(text)));
  if (ids !== null) return ids;
  throw new CliError(
    'usage',
    `${path} is not a list of file IDs. Restore the file from Git, or delete it and add --install <id>.`,
  );
}

/**
 * Returns the text of a file, or `null` if the file does not exist. Only a small regular file is read, and no link is
 * followed.
 */
async function textOf(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_BYTES) return '';
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CliError('usage', `${path} cannot be read. Check the permissions of the file.`, { cause: error });
  }
}

function idsIn(text: string): Map<string, string> | null {
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    if (typeof files !== 'object' || files === null) return null;
    const entries = Object.entries(files as Record<string, unknown>);
    return entries.every(isValid) ? new Map(entries) : null;
  } catch {
    return null;
  }
}

function isValid(entry: [string, unknown]): entry is [string, string] {
  const [name, id] = entry;
  return YAML_NAME.test(name) && typeof id === 'string' && VALID.test(id);
}
