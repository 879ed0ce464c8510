import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';

/** One instance that was signed in to. */
interface StoredContext {
  /** Without `/api`. */
  url: string;
  key: string;
  /** Whose key it was when it was stored. */
  username: string;
}

export interface Credentials {
  /** The context that is used when nothing names another; null: none. */
  current: string | null;
  contexts: Record<string, StoredContext>;
}

const FILE = 'credentials.json';
const ONLY_OWNER = 0o600;
const ONLY_OWNERS_FOLDER = 0o700;

/**
 * What was stored; nothing when there is no file yet.
 * @throws CliError when the file is there and makes no sense
 */
export async function readCredentials(configDir: string): Promise<Credentials> {
  const file = join(configDir, FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, contexts: {} };
    throw new CliError('failed', `${file} cannot be read: make it yours, or remove it and run «davit login».`, {
      cause: error,
    });
  }
  const credentials = parse(text);
  if (credentials === null) {
    throw new CliError('failed', `${file} is not what «davit login» writes: remove it and sign in again.`);
  }
  return credentials;
}

/** Replaces the file as a whole, readable to its owner alone, so that a crash leaves the old one or the new one. */
export async function writeCredentials(configDir: string, credentials: Credentials): Promise<void> {
  await mkdir(configDir, { recursive: true, mode: ONLY_OWNERS_FOLDER });
  const file = join(configDir, FILE);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', ONLY_OWNER);
    try {
      await handle.writeFile(`${JSON.stringify(credentials, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CliError('failed', `${file} cannot be written: make ${configDir} yours.`, { cause: error });
  }
}

function parse(text: string): Credentials | null {
  try {
    const value = JSON.parse(text) as Partial<Credentials> | null;
    if (typeof value?.contexts !== 'object' || value.contexts === null) return null;
    if (!Object.values(value.contexts).every(isContext)) return null;
    return { current: value.current ?? null, contexts: value.contexts };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isContext(value: Partial<StoredContext> | null): boolean {
  return typeof value?.url === 'string' && typeof value.key === 'string' && typeof value.username === 'string';
}
