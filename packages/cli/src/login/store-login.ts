import { createClient } from '@davit/api';
import { fetchOf } from '../client/requests.ts';
import { readCredentials, writeCredentials } from '../credentials/store.ts';
import type { Printer } from '../output/printer.ts';
import type { Environment } from '../process/env.ts';
import type { Runtime } from '../process/runtime.ts';

interface Login {
  url: string;
  key: string;
  /**
   * Name of the context (the saved login). Default: the name of an existing context with the same instance URL, or else
   * the host name of the URL.
   */
  name: string | undefined;
}

interface LoginContext {
  out: Printer;
  env: Environment;
  world: Runtime;
}

const LOOPBACK = /^http:\/\/(localhost|127\.|\[::1\])/;

/**
 * Stores an API key in a context of credentials.json and makes this context the current one. First checks the API key
 * with a request.
 * @throws DavitError with code `unauthorized` if the instance does not accept the API key
 */
export async function storeLogin({ url, key, name }: Login, { out, env, world: runtime }: LoginContext): Promise<void> {
  const fetch = fetchOf({ url, context: null }, runtime);
  const { username, role } = await createClient({ url, key, fetch }).getMe({ signal: runtime.signal });
  const credentials = await readCredentials(env.configDir);
  const known = Object.entries(credentials.contexts).find(([, stored]) => stored.url === url)?.[0];
  const context = name ?? known ?? new URL(url).host;
  const contexts = { ...credentials.contexts, [context]: { url, key, username } };
  await writeCredentials(env.configDir, { current: context, contexts });
  if (url.startsWith('http:') && !LOOPBACK.test(url)) {
    out.note(
      `Warning: ${url} uses HTTP without encryption. Others in the network can read the API key. Use an https:// address.`,
      'yellow',
    );
  }
  out.done(
    { context, url, username, role },
    `Signed in to ${url} as ${username} (${role}); context ${context}.`,
    context,
  );
}
