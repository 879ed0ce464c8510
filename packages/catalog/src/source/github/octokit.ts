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
 * Octokit with what makes it try again. When that is sent the pace decides: a wait within Octokit would outlive the pass that
 * it belongs to. It is loaded when first asked for: a catalog with another source never needs it.
 */
export async function loadOctokit({ token, pace, longestWaitS, warn }: OctokitOptions): Promise<Octokit> {
  const [{ Octokit }, { throttling }, { retry }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ]);
  const log = { debug: ignore, info: ignore, warn, error: warn };
  // Once, and only where the time that is asked for is one that a pass can sit out.
  const again = (waitS: number, _options: object, _octokit: object, retried: number) =>
    retried === 0 && Math.max(waitS, pace.waitS('core'), pace.waitS('graphql')) <= longestWaitS;
  return new (Octokit.plugin(throttling, retry))({
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

function ignore(): void {
  // Octokit tells of every request; what is worth a line is logged where it is known what it was for.
}
