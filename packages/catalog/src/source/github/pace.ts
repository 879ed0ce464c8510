import type { Logger } from '@davit/service';

/** Types of requests with separate rate limits on GitHub: REST requests (`core`) and GraphQL queries. */
export type Resource = 'core' | 'graphql';

export interface PaceOptions {
  log: Logger;
  /**
   * Number of milliseconds in a second, for waits after rate limits: 1,000. Tests use a smaller number to shorten the
   * waits.
   */
  secondMs: number;
  /** Monotonic clock in milliseconds. Default: `performance.now()`. */
  now?: () => number;
}

/**
 * Wait in seconds after a rate limit error of GitHub without a reset time. Each further error of this kind doubles the
 * wait.
 */
const DEFAULT_WAIT_S = 60;
/**
 * Maximum wait in seconds. All rate limits of GitHub reset within an hour, so a longer wait is useless, even if GitHub
 * demands it.
 */
const LONGEST_S = 3_601;
/**
 * Waits in seconds after the first, the second and each further consecutive failed request. A request fails if the
 * response is missing, incomplete, or has a status 5xx.
 */
const PAUSES_S = [1, 4, 9];

/**
 * Calculates the wait before the next GitHub request from GitHub's earlier responses. The result is kept for the next
 * indexing run. Octokit decides whether to repeat a request.
 */
export class Pace {
  readonly #log: Logger;
  readonly #secondMs: number;
  readonly #now: () => number;
  /**
   * Map from request type to the earliest time of the next request to GitHub. The times are milliseconds of the clock
   * `#now`.
   */
  readonly #until: Record<Resource, number> = { core: 0, graphql: 0 };
  /**
   * Whether the headers of the last response demanded a wait. If so, `noteLimit` adds no second wait, even if the first
   * wait has already ended.
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

  /** Returns the number of seconds to wait before the next request to GitHub. Returns 0 if no wait is necessary. */
  waitS(resource: Resource): number {
    return Math.max(0, (this.#until[resource] - this.#now()) / this.#secondMs);
  }

  waitMs(resource: Resource): number {
    return Math.ceil(this.waitS(resource) * this.#secondMs);
  }

  /**
   * Returns GitHub's remaining rate limit for each type of request. A type is absent until GitHub has sent its rate
   * limit.
   */
  budget(): Record<string, { remaining: number; limit: number }> {
    return Object.fromEntries(this.#budget);
  }

  /**
   * Reads the headers of a GitHub response. Updates the remaining rate limits and the wait before the next requests.
   */
  note(resource: Resource, status: number, headers: Headers): void {
    const remaining = wholeNumber(headers.get('x-ratelimit-remaining'));
    const limit = wholeNumber(headers.get('x-ratelimit-limit'));
    if (remaining !== null && limit !== null) this.#budget.set(resource, { remaining, limit });
    if (remaining === 0) this.#rest([resource], secondsUntil(headers.get('x-ratelimit-reset')), 'budget is spent');
    // `Retry-After` is read for every status, because GitHub can report a GraphQL rate limit with status 200.
    const requestedS = retryAfterS(headers.get('retry-after'));
    if (requestedS !== null) this.#rest(['core', 'graphql'], requestedS, 'GitHub requested a pause');
    this.#hasReportedWait[resource] = remaining === 0 || requestedS !== null;
    if (status < 500) this.#failures = 0;
    else this.noteFailure();
  }

  /** Records that GitHub sent no complete response to a request. The next request waits longer. */
  noteFailure(): void {
    this.#rest(['core', 'graphql'], PAUSES_S[this.#failures] ?? 0, 'failed');
    this.#failures = Math.min(this.#failures + 1, PAUSES_S.length - 1);
  }

  /**
   * Records a successful response of GitHub. As a result, the next rate limit error without a reset time causes a short
   * wait again.
   */
  noteGood(): void {
    this.#strikes = 0;
  }

  /**
   * Records that the body of a GitHub response reports a rate limit. Call `note` with the headers of the response
   * first.
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
 * Returns the seconds until GitHub resets a rate limit. The result includes an additional second, because the clocks of
 * the servers can differ.
 */
function secondsUntil(reset: string | null): number {
  const epochS = wholeNumber(reset);
  return epochS === null ? DEFAULT_WAIT_S : Math.max(0, Math.ceil(epochS - Date.now() / 1000)) + 1;
}

/**
 * Parses the header `Retry-After`, which contains a number of seconds or a date. Returns seconds, or `null` if there is
 * no header.
 */
function retryAfterS(text: string | null): number | null {
  if (text === null) return null;
  const seconds = wholeNumber(text);
  if (seconds !== null) return seconds;
  const at = Date.parse(text);
  return Number.isNaN(at) ? DEFAULT_WAIT_S : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
