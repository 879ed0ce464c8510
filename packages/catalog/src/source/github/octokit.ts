import type { Octokit } from '@octokit/core';
import type { Pace } from './pace.ts';

export interface OctokitOptions {
  token: string;
  pace: Pace;
  longestWaitS: number;
  warn: (text: string) => void;
}

/** Number of retries after the first attempt, for 5xx and for broken connections. */
const RETRIES = 2;
/** 4xx statuses that a retry does not change. 429 is not in the list: it is retried after its wait. */
const FINAL = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 421, 422, 425, 451];

/**
 * Loads Octokit with its retry plugins. `pace` decides when a retry is sent, because a wait inside Octokit would
 * outlive its pass. Octokit is loaded on first use, because a catalog with another source never needs it.
 */
export async function loadOctokit({ token, pace, longestWaitS, warn }: OctokitOptions): Promise<Octokit> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  // Retries once, and only if a pass can wait for the required time.
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
      // Octokit pauses one second between queries, which only write requests need.
      write: AT_ONCE as never,
    },
  });
}

const AT_ONCE = { key: () => ({ schedule: (_options: object, job: () => Promise<void>) => job() }) };

/**
 * Parses the answers of queries with `JSON.parse`. Octokit would search every value for numbers that JavaScript cannot
 * represent, which takes half of the time of a pass, and these answers contain none. The other plugins inspect the
 * parsed data, so this plugin must be the first.
 */
function plainJson(octokit: Octokit): void {
  octokit.hook.wrap('request', async (request, options) => {
    const response = await request(options);
    if (options.url !== '/graphql') return response;
    const text = await new Response(response.data as ReadableStream | null).text();
    return { ...response, data: parseOrText(text) };
  });
}

/** Returns text that is not JSON unchanged. The caller rejects it when it validates the answer. */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ignore(): void {
  // Octokit logs every request. The callers, which know the purpose of a request, log what is relevant.
}
