import type { Octokit } from '@octokit/core';
import type { Pace } from './pace.ts';

export interface OctokitOptions {
  token: string;
  pace: Pace;
  longestWaitS: number;
  warn: (text: string) => void;
}

/** Number of times that a request to GitHub is repeated after a status 5xx or a broken connection. */
const RETRIES = 2;
/**
 * HTTP statuses after which Octokit does not repeat a request. The list does not contain 429, because Octokit repeats
 * such a request later.
 */
const FINAL = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 421, 422, 425, 451];

/**
 * Loads GitHub's client library Octokit when it is needed. `pace` determines the wait before a retry, because Octokit
 * could wait longer than an indexing run may take.
 */
export async function loadOctokit({ token, pace, longestWaitS, warn }: OctokitOptions): Promise<Octokit> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  // After a rate limit error, a request is repeated only once, and only if the wait is at most `longestWaitS`.
  const again = (waitS: number, { url }: { url: string }, _octokit: object, retried: number) => {
    const resource = url === '/graphql' ? 'graphql' : 'core';
    pace.noteLimit(resource, waitS);
    return retried === 0 && pace.waitS(resource) <= longestWaitS;
  };
  // `plainJson` must be the first plugin, because the other plugins inspect the parsed response.
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
      // This scheduler adds no pauses. Octokit's own scheduler would wait one second between GraphQL queries.
      write: AT_ONCE as never,
    },
  });
}

const AT_ONCE = { key: () => ({ schedule: (_options: object, job: () => Promise<void>) => job() }) };

/** Parses GraphQL responses with `JSON.parse`, because Octokit's parser would take half the time of an indexing run. */
function plainJson(octokit: Octokit): void {
  octokit.hook.wrap('request', async (request, options) => {
    const response = await request(options);
    if (options.url !== '/graphql') return response;
    const text = await new Response(response.data as ReadableStream | null).text();
    return { ...response, data: parseOrText(text) };
  });
}

/**
 * Parses JSON. Returns text that is not JSON unchanged, because the caller validates the result and rejects such a
 * text.
 */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ignore(): void {
  // Octokit's log messages are ignored. The code that sends a request logs errors with more details.
}
