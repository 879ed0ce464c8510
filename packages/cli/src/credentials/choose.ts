import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { nearest } from '../errors/nearest.ts';
import type { Environment } from '../process/env.ts';
import { type Credentials, readCredentials } from './store.ts';

/** URL of an instance, and credentials for requests to this instance. */
export interface Connection {
  /**
   * URL of the instance without `/api`. For requests through a Unix socket, this URL is used only in messages and in
   * the header `Host`.
   */
  url: string;
  /** Path of the daemon's Unix socket on the same machine. Absent for a connection over the network. */
  socketPath?: string;
  key?: string;
  /** Name of the context in credentials.json. `null` for `--local` and `DAVIT_URL`. */
  context: string | null;
}

/** Command-line options that select an instance. */
interface Chosen {
  local: boolean;
  context: string | undefined;
}

/**
 * Selects the instance from the first source that is set. Order: `--local`, `--context`, `DAVIT_URL` with
 * `DAVIT_API_KEY`, `DAVIT_CONTEXT`, current context.
 * @throws CliError with exit `not_signed_in`
 */
export async function chooseConnection(chosen: Chosen, env: Environment): Promise<Connection> {
  if (chosen.local) {
    return { url: 'http://davit', socketPath: join(env.dataDir, 'davit.sock'), context: null };
  }
  if (chosen.context === undefined && (env.url !== undefined || env.apiKey !== undefined)) return ofVariables(env);
  const credentials = await readCredentials(env.configDir);
  const name = chosen.context ?? env.context ?? credentials.current;
  if (name === null) throw noCurrentContext(credentials);
  const stored = credentials.contexts[name];
  if (stored === undefined) throw noSuchContext(name, credentials);
  return { url: stored.url, key: stored.key, context: name };
}

/** Returns the error if no context is the current context, for example after `davit logout`. */
function noCurrentContext({ contexts }: Credentials): CliError {
  const names = Object.keys(contexts);
  const message =
    names.length === 0
      ? 'You are not signed in to an instance. Run `davit login <url>`.'
      : `No instance is selected. Select a context with \`davit context use <name>\`. Available contexts: ${names.join(', ')}.`;
  return new CliError('not_signed_in', message);
}

/**
 * Returns the error for an unknown context name. The error message suggests a similar context, or lists all contexts.
 */
export function noSuchContext(name: string, { contexts }: Credentials): CliError {
  const names = Object.keys(contexts);
  const [near] = nearest(name, names);
  const known = near === undefined ? `available contexts: ${names.join(', ') || 'none'}` : `did you mean "${near}"?`;
  return new CliError('usage', `Unknown context "${name}": ${known}`);
}

function ofVariables({ url, apiKey }: Environment): Connection {
  if (url === undefined) {
    throw new CliError(
      'usage',
      'DAVIT_API_KEY is set, but DAVIT_URL is not. Set both, or unset both to use a context.',
    );
  }
  if (apiKey === undefined) {
    throw new CliError(
      'not_signed_in',
      'DAVIT_URL is set, but DAVIT_API_KEY is not. Set both, or unset both to use a context.',
    );
  }
  const key = apiKey.trim();
  // The API key is checked here, because the error message of `fetch` for an invalid key would contain the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CliError(
      'usage',
      'DAVIT_API_KEY is not a valid API key. An API key begins with "davit_" and has no spaces.',
    );
  }
  return { url: normalUrl(url), key, context: null };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$|\.localhost(:\d+)?$/;

/**
 * Normalizes the URL of an instance. Adds a missing scheme, and removes `/api` and trailing slashes.
 * @throws CliError with exit `usage`
 */
export function normalUrl(given: string): string {
  const host = given.split('/')[0] ?? '';
  const isForeign = given.includes('://') && !/^https?:\/\//i.test(given);
  const withScheme = /^https?:\/\//i.test(given) ? given : `${LOOPBACK.test(host) ? 'http' : 'https'}://${given}`;
  const url = parsed(withScheme);
  if (url !== null && url.username + url.password !== '') {
    throw new CliError(
      'usage',
      'The address must not contain a user name or a password. Sign in with `davit login` instead.',
    );
  }
  if (url === null || isForeign || url.search !== '' || url.hash !== '' || given.trim() === '') {
    throw new CliError(
      'usage',
      `"${given}" is not the address of an instance. Write for example https://davit.example.com.`,
    );
  }
  if (!/^\/(api\/?)?$/.test(url.pathname)) {
    throw new CliError('usage', `The address of an instance has no path. Write ${url.origin}.`);
  }
  return url.origin;
}

/** Parses a URL. `URL.parse` is not used, because it does not exist in Node before version 22. */
function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
