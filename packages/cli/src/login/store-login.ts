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
   * Name of the context (the stored login). Default: the name of an existing context with the same instance URL. If
   * there is none, the default is the host name of the URL.
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
 * Checks an API key with a request, and stores the key in a context. This context becomes the current context.
 * @throws DavitError unauthorized if the API key is invalid
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
