import type { Logger } from '@davit/service';

/** Kinds of requests for which GitHub has separate rate limits: REST requests (`core`) and GraphQL queries. */
export type Resource = 'core' | 'graphql';

export interface PaceOptions {
  log: Logger;
  /**
   * Factor that converts the waits for rate limits from seconds to milliseconds: 1,000. Tests use a smaller factor to
   * shorten the waits.
   */
  secondMs: number;
  /** Monotonic clock in milliseconds. Default: `performance.now()`. */
  now?: () => number;
}

/**
 * Wait in seconds after GitHub reports a rate limit without a reset time. Each further such report doubles the wait.
 */
const DEFAULT_WAIT_S = 60;
/**
 * Maximum wait in seconds. All rate limits of GitHub reset within an hour, so no longer wait is useful, even if GitHub
 * sends one.
 */
const LONGEST_S = 3_601;
/**
 * Seconds to wait after the first, the second and each further consecutive failure: no response, an incomplete one, or
 * status 5xx.
 */
const PAUSES_S = [1, 4, 9];

/**
 * Calculates from GitHub's responses how long the next request must wait, also in the next indexing run. Octokit
 * decides whether to repeat a request.
 */
export class Pace {
  readonly #log: Logger;
  readonly #secondMs: number;
  readonly #now: () => number;
  /**
   * Map from kind of request to the earliest time of the next request to GitHub. The times are in milliseconds and come
   * from the clock `#now`.
   */
  readonly #until: Record<Resource, number> = { core: 0, graphql: 0 };
  /**
   * Whether the headers of the last response required a wait. In this case, `noteLimit` adds no second wait, even after
   * the first wait has ended.
   */
  readonly #hasReportedWait: Record<Resource, boolean> = { core: false, graphql: false };
  readonly #budget = new Map<Resource, { remaining: number; limit: number }>();
  #strikes = 0;
  #failures = 0;

  constructor({ log, secondMs, now = () => performance.now() }: PaceOptions) {
    this.#log = log;
    this.#secondMs = secondMs;
    this.#now = now;
  }

  /** Returns how many seconds the next request to GitHub must wait. 0 means that no wait is needed. */
  waitS(resource: Resource): number {
    return Math.max(0, (this.#until[resource] - this.#now()) / this.#secondMs);
  }

  waitMs(resource: Resource): number {
    return Math.ceil(this.waitS(resource) * this.#secondMs);
  }

  /**
   * Returns GitHub's remaining rate limit for each kind of request. A kind is absent until GitHub has sent its limit.
   */
  budget(): Record<string, { remaining: number; limit: number }> {
    return Object.fromEntries(this.#budget);
  }

  /**
   * Reads the headers of a GitHub response. Updates the remaining rate limits, and how long the next requests must
   * wait.
   */
  note(resource: Resource, status: number, headers: Headers): void {
    const remaining = wholeNumber(headers.get('x-ratelimit-remaining'));
    const limit = wholeNumber(headers.get('x-ratelimit-limit'));
    if (remaining !== null && limit !== null) this.#budget.set(resource, { remaining, limit });
    if (remaining === 0) this.#rest([resource], secondsUntil(headers.get('x-ratelimit-reset')), 'budget is spent');
    // `Retry-After` is read for every status, because GitHub reports GraphQL rate limits also with status 200.
    const requestedS = retryAfterS(headers.get('retry-after'));
    if (requestedS !== null) this.#rest(['core', 'graphql'], requestedS, 'GitHub requested a pause');
    this.#hasReportedWait[resource] = remaining === 0 || requestedS !== null;
    if (status < 500) this.#failures = 0;
    else this.noteFailure();
  }

  /** Records that a request to GitHub got no complete response. The next request waits longer. */
  noteFailure(): void {
    this.#rest(['core', 'graphql'], PAUSES_S[this.#failures] ?? 0, 'failed');
    this.#failures = Math.min(this.#failures + 1, PAUSES_S.length - 1);
  }

  /** Records a successful response of GitHub. The next rate limit without a reset time causes a short wait again. */
  noteGood(): void {
    this.#strikes = 0;
  }

  /**
   * Records that a response body reports a rate limit. Call `note` with the headers of the response first.
   * @param leastS minimum wait in seconds. Default: 0
   */
  noteLimit(resource: Resource, leastS = 0): void {
    if (this.#hasReportedWait[resource] || this.waitS(resource) > 0) return;
    this.#rest(['core', 'graphql'], Math.max(leastS, DEFAULT_WAIT_S * 2 ** this.#strikes), 'limit exceeded');
    this.#strikes += 1;
  }

  #rest(resources: Resource[], seconds: number, why: Why): void {
    const waitS = Math.min(seconds, LONGEST_S);
    const until = this.#now() + waitS * this.#secondMs;
    for (const resource of resources) this.#until[resource] = Math.max(this.#until[resource], until);
    const level = why === 'failed' ? 'debug' : 'warn';
    this.#log[level]({ resources, waitS, why }, 'requests to GitHub are paused');
  }
}

type Why = 'budget is spent' | 'GitHub requested a pause' | 'limit exceeded' | 'failed';

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Returns the seconds until GitHub resets a rate limit, plus one second, because the clocks of the servers can differ.
 */
function secondsUntil(reset: string | null): number {
  const epochS = wholeNumber(reset);
  return epochS === null ? DEFAULT_WAIT_S : Math.max(0, Math.ceil(epochS - Date.now() / 1000)) + 1;
}

/**
 * Parses the header `Retry-After`, which is a number of seconds or a date. Returns seconds, or `null` without a header.
 */
function retryAfterS(text: string | null): number | null {
  if (text === null) return null;
  const seconds = wholeNumber(text);
  if (seconds !== null) return seconds;
  const at = Date.parse(text);
  return Number.isNaN(at) ? DEFAULT_WAIT_S : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
