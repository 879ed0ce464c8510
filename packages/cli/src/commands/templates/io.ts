import type { CommandIo } from '@davit/template/command';
import { agentFor } from '../../client/network-fetch.ts';
import { requestFetch } from '../../client/request-fetch.ts';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import type { Environment } from '../../process/env.ts';

/**
 * Functions that read files and stdin and send network requests, for commands about templates. These commands also work
 * without an instance.
 */
interface TemplateIo extends CommandIo {
  /**
   * Runs a function that reads a template file. Converts an error about an unreadable file to a `CliError`.
   * @throws CliError with exit `usage` if the template cannot be read
   */
  reading<T>(work: () => Promise<T>): Promise<T>;
}

export function templateIo({ world: runtime, signal }: Pick<Context, 'world' | 'signal'>): TemplateIo {
  const { cwd, stdin, env, fetch = fileFetch(env) } = runtime;
  return {
    cwd,
    stdin,
    fetch,
    signal,
    async reading(work) {
      try {
        return await work();
      } catch (error) {
        /*
         * Only the error name is checked. `instanceof` would load the template package and slow down the start of the
         * CLI.
         */
        const isUnreadable = error instanceof Error && error.name === 'UnreadableError';
        throw isUnreadable ? new CliError('usage', error.message, { cause: error }) : error;
      }
    },
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Maximum number of redirects for a file download. */
const MOST_REDIRECTS = 5;

/**
 * Returns a `fetch` function that downloads files. It uses the proxy and the certificate authorities from environment
 * variables.
 */
function fileFetch(env: Environment): typeof globalThis.fetch {
  return async (address, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const sent = { method: 'GET', headers, ...(init?.signal && { signal: init.signal }) };
    let url = String(address);
    for (let redirects = 0; ; redirects++) {
      const { send, agent } = await agentFor(url, env);
      if (agent === null) return globalThis.fetch(url, init);
      const response = await requestFetch(send, { agent })(url, sent);
      const location = response.headers.get('location');
      if (location === null || !REDIRECTS.includes(response.status) || redirects === MOST_REDIRECTS) return response;
      await response.body?.cancel();
      url = new URL(location, url).href;
    }
  };
}
