import type { Octokit } from '@octokit/core';
import type { Pace } from './pace.ts';

export interface OctokitOptions {
  token: string;
  pace: Pace;
  longestWaitS: number;
  warn: (text: string) => void;
}

/** After the first try, for 5xx and for connections that break. */
const RETRIES = 2;
/** 4xx that trying again does not change. Not 429: it is tried again once its time has come. */
const FINAL = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 421, 422, 425, 451];

/**
 * Octokit with what makes it try again. When that is sent the pace decides: a wait within Octokit would outlive the pass
 * that it belongs to. It is loaded when first asked for: a catalog with another source never needs it.
 */
export async function loadOctokit({ token, pace, longestWaitS, warn }: OctokitOptions): Promise<Octokit> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  // Once, and only where the time that is asked for is one that a pass can sit out.
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
      // Its pause of a second between queries is meant for those that write.
      write: AT_ONCE as never,
    },
  });
}

const AT_ONCE = { key: () => ({ schedule: (_options: object, job: () => Promise<void>) => job() }) };

/**
 * Reads the answers to queries, which were asked for unread, by what the runtime has for it. Octokit looks at every value
 * for numbers that JavaScript cannot hold, of which there are none here: that takes half of the time of a pass. The other
 * plugins look into what is read, so this one comes first.
 */
function plainJson(octokit: Octokit): void {
  octokit.hook.wrap('request', async (request, options) => {
    const response = await request(options);
    if (options.url !== '/graphql') return response;
    const text = await new Response(response.data as ReadableStream | null).text();
    return { ...response, data: parseOrText(text) };
  });
}

/** What is no JSON stays text, and is found not to fit by who asked. */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ignore(): void {
  // Octokit tells of every request; what is worth a line is logged where it is known what it was for.
}
