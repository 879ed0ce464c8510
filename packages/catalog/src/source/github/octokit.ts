import type { Octokit } from '@octokit/core';
import type { Pace } from './pace.ts';

export interface OctokitOptions {
  token: string;
  pace: Pace;
  longestWaitS: number;
  warn: (text: string) => void;
}

/** Number of retries of a request to GitHub after status 5xx or a broken connection. */
const RETRIES = 2;
/** HTTP statuses 4xx that are not retried. 429 is not in the list, because it is retried after a wait. */
const FINAL = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 421, 422, 425, 451];

/**
 * Loads Octokit with its retry plugins. The time of a retry comes from `pace`, because a wait inside Octokit would
 * continue after its indexer pass. Octokit is loaded only on first use, because a catalog with another source never
 * needs it.
 */
export async function loadOctokit({ token, pace, longestWaitS, warn }: OctokitOptions): Promise<Octokit> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  // Retries a request once after a rate limit, and only if the wait is short enough for an indexer pass.
  const again = (waitS: number, { url }: { url: string }, _octokit: object, retried: number) => {
    const resource = url === '/graphql' ? 'graphql' : 'core';
    pace.noteLimit(resource, waitS);
    return retried === 0 && pace.waitS(resource) <= longestWaitS;
  };
  return new (Octokit.plugin(plainJson, throttling, retry))({
    auth: token,
    userAgent: 'davit-catalog',
    log,
    request: { log },
    retry: { retries: RETRIES, doNotRetry: FINAL, retryAfterBaseValue: 0 },
    throttle: {
      onRateLimit: again,
      onSecondaryRateLimit: again,
      retryAfterBaseValue: 0,
      // Octokit waits one second between GraphQL queries as if they were write requests. This scheduler removes the
      // wait.
      write: AT_ONCE as never,
    },
  });
}

const AT_ONCE = { key: () => ({ schedule: (_options: object, job: () => Promise<void>) => job() }) };

/**
 * Octokit plugin that parses GraphQL responses with `JSON.parse`. Octokit would search every value for large numbers,
 * which takes half of the time of an indexer pass. This plugin must be the first, because the other plugins inspect the
 * parsed data.
 */
function plainJson(octokit: Octokit): void {
  octokit.hook.wrap('request', async (request, options) => {
    const response = await request(options);
    if (options.url !== '/graphql') return response;
    const text = await new Response(response.data as ReadableStream | null).text();
    return { ...response, data: parseOrText(text) };
  });
}

/** Parses JSON. Text that is not JSON is returned unchanged, and the caller rejects it during validation. */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ignore(): void {
  // Octokit logs every request. The callers log what is relevant, because they know the purpose of a request.
}
