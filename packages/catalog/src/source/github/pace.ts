import type { Logger } from '@davit/service';

/** Resources for which GitHub has separate limits: requests of the REST API, and points of GraphQL. */
export type Resource = 'core' | 'graphql';

export interface PaceOptions {
  log: Logger;
  /** Length in milliseconds of one second in GitHub's answers. A test sets a smaller value to run faster. */
  secondMs: number;
  /** Monotonic clock in milliseconds. Default: the clock of the process. Tests set their own clock. */
  now?: () => number;
}

/**
 * Wait in seconds after a limit without a time in the answer. The wait doubles each time that the limit occurs again.
 */
const UNTOLD_S = 60;
/** Maximum wait in seconds. Every limit of GitHub resets within an hour, so a longer time in a header is ignored. */
const LONGEST_S = 3_601;
/** Pauses after the first, the second and every further failure in a row. Failures are missing answers and 5xx. */
const PAUSES_S = [1, 4, 9];

/**
 * Decides when the next request to GitHub may be sent. Octokit decides whether a request is retried; this class decides
 * when.
 * The class receives every answer, and every request waits for the class. Therefore no request is too early, also not
 * in the next pass, and every wait ends with its pass.
 */
export class Pace {
  readonly #log: Logger;
  readonly #secondMs: number;
  readonly #now: () => number;
  /** Time before which no request is sent, for each resource, on the clock `#now`. */
  readonly #until: Record<Resource, number> = { core: 0, graphql: 0 };
  /** Whether the last answer contained a time to wait. This time may be over before the error is handled. */
  readonly #told: Record<Resource, boolean> = { core: false, graphql: false };
  readonly #budget = new Map<Resource, { remaining: number; limit: number }>();
  #strikes = 0;
  #failures = 0;

  constructor({ log, secondMs, now = () => performance.now() }: PaceOptions) {
    this.#log = log;
    this.#secondMs = secondMs;
    this.#now = now;
  }

  /** Returns the seconds (in GitHub's time) until a request may be sent. 0 means now. */
  waitS(resource: Resource): number {
    return Math.max(0, (this.#until[resource] - this.#now()) / this.#secondMs);
  }

  /** Returns the wait in milliseconds of the local clock. */
  waitMs(resource: Resource): number {
    return Math.ceil(this.waitS(resource) * this.#secondMs);
  }

  /** Returns the remaining budget of each resource for which GitHub has sent one. */
  budget(): Record<string, { remaining: number; limit: number }> {
    return Object.fromEntries(this.#budget);
  }

  /** Updates the waits and budgets from the headers of an answer. */
  note(resource: Resource, status: number, headers: Headers): void {
    const remaining = wholeNumber(headers.get('x-ratelimit-remaining'));
    const limit = wholeNumber(headers.get('x-ratelimit-limit'));
    if (remaining !== null && limit !== null) this.#budget.set(resource, { remaining, limit });
    if (remaining === 0) this.#rest([resource], secondsUntil(headers.get('x-ratelimit-reset')), 'budget is spent');
    // GitHub also reports limits of queries with status 200.
    const told = retryAfterS(headers.get('retry-after'));
    if (told !== null) this.#rest(['core', 'graphql'], told, 'GitHub requested a pause');
    this.#told[resource] = remaining === 0 || told !== null;
    if (status < 500) this.#failures = 0;
    else this.noteFailure();
  }

  /** Records that a request got no complete answer. */
  noteFailure(): void {
    this.#rest(['core', 'graphql'], PAUSES_S[this.#failures] ?? 0, 'failed');
    this.#failures = Math.min(this.#failures + 1, PAUSES_S.length - 1);
  }

  /** Records a successful answer: no limit is exceeded now. */
  noteGood(): void {
    this.#strikes = 0;
  }

  /**
   * Records an exceeded limit that a message of GitHub reports. The caller must pass the headers of the answer to
   * {@link note} before.
   * @param leastS minimum wait in seconds according to the message. Default: 0, if the message contains no time
   */
  noteLimit(resource: Resource, leastS = 0): void {
    if (this.#told[resource] || this.waitS(resource) > 0) return;
    this.#rest(['core', 'graphql'], Math.max(leastS, UNTOLD_S * 2 ** this.#strikes), 'limit exceeded');
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

/** Adds one second, so that small differences between the clocks do not matter. */
function secondsUntil(reset: string | null): number {
  const epochS = wholeNumber(reset);
  return epochS === null ? UNTOLD_S : Math.max(0, Math.ceil(epochS - Date.now() / 1000)) + 1;
}

/** Parses `retry-after`, which is a number of seconds or a date. */
function retryAfterS(text: string | null): number | null {
  if (text === null) return null;
  const seconds = wholeNumber(text);
  if (seconds !== null) return seconds;
  const at = Date.parse(text);
  return Number.isNaN(at) ? UNTOLD_S : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
