/**
 * ID of a Compose file, stored in `.davit/compose.json` beside the file. An installation on the instance has the ID of
 * its file, so another file for the same project cannot replace the installation by mistake.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from '../errors/exit.ts';

const FOLDER = '.davit';
const NAME = 'compose.json';
const VALID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Returns the stored ID of a Compose file, or `null` if the file has none yet.
 * @throws CliError with exit `usage` if `.davit/compose.json` is invalid
 */
export async function fileIdOf(cwd: string, file: string): Promise<string | null> {
  return (await readIds(pathOf(cwd, file))).get(basename(file)) ?? null;
}

/**
 * Creates and stores a new ID for a Compose file. Call it before the installation starts: if the ID cannot be stored,
 * nothing was changed.
 * @throws CliError with exit `failed` if `.davit/compose.json` cannot be written
 */
export async function createFileId(cwd: string, file: string): Promise<string> {
  const path = pathOf(cwd, file);
  const ids = await readIds(path);
  const id = randomUUID();
  ids.set(basename(file), id);
  const temporary = `${path}.${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, `${JSON.stringify({ files: Object.fromEntries(ids) }, null, 2)}\n`);
    await rename(temporary, path);
  } catch (cause) {
    throw new CliError(
      'failed',
      `${path} cannot be written. Davit stores the ID of the Compose file there. Nothing was changed.`,
      { cause },
    );
  }
  return id;
}

function pathOf(cwd: string, file: string): string {
  return join(dirname(resolve(cwd, file)), FOLDER, NAME);
}

async function readIds(path: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new CliError('usage', `${path} cannot be read.`, { cause: error });
  }
  const ids = idsIn(text);
  if (ids === null)
    throw new CliError('usage', `${path} is invalid. Restore the file from Git, or delete it and add --install.`);
  return ids;
}

function idsIn(text: string): Map<string, string> | null {
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    if (typeof files !== 'object' || files === null) return null;
    const entries = Object.entries(files as Record<string, unknown>);
    const valid = entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && VALID.test(entry[1]),
    );
    return valid.length === entries.length ? new Map(valid) : null;
  } catch {
    return null;
  }
}
