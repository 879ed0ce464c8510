import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { replaceFile } from '../process/replace-file.ts';

/** Entry of credentials.json: an instance and an API key for this instance. */
interface StoredContext {
  /** URL of the instance, without `/api`. */
  url: string;
  key: string;
  /** Name of the user who owned the API key at the time of the login. */
  username: string;
}

export interface Credentials {
  /** Name of the current context. `null` if there is no current context. */
  current: string | null;
  contexts: Record<string, StoredContext>;
}

const FILE = 'credentials.json';
const ONLY_OWNER = 0o600;
const ONLY_OWNERS_FOLDER = 0o700;

/**
 * Reads credentials.json. Returns an empty list of contexts if the file does not exist.
 * @throws CliError if the file is invalid
 */
export async function readCredentials(configDir: string): Promise<Credentials> {
  const file = join(configDir, FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, contexts: {} };
    throw new CliError(
      'failed',
      `Cannot read ${file}. Check its permissions, or remove the file and run \`davit login\`.`,
      {
        cause: error,
      },
    );
  }
  const credentials = parse(text);
  if (credentials === null) {
    throw new CliError('failed', `${file} is damaged. Remove the file and sign in again.`);
  }
  return credentials;
}

/** Writes credentials.json with mode 0600. */
export async function writeCredentials(configDir: string, credentials: Credentials): Promise<void> {
  await mkdir(configDir, { recursive: true, mode: ONLY_OWNERS_FOLDER });
  const file = join(configDir, FILE);
  try {
    await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`, ONLY_OWNER);
  } catch (error) {
    throw new CliError('failed', `Cannot write ${file}. Check the permissions of ${configDir}.`, { cause: error });
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
