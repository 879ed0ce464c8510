import type { Logger } from '@davit/service';

/** What GitHub counts apart: requests of the REST API, points of GraphQL. */
export type Resource = 'core' | 'graphql';

export interface PaceOptions {
  log: Logger;
  /** What a second that GitHub tells lasts, in milliseconds; a test lets it pass faster. */
  secondMs: number;
  /** Milliseconds that never go back; those of the process but in a test. */
  now?: () => number;
}

/** A limit that is told without a time is left alone for so long, and twice as long each time it comes again. */
const UNTOLD_S = 60;
/** Nothing that GitHub counts takes longer than an hour to come back; a header that says more is not believed. */
const LONGEST_S = 3_601;
/** After the first failure in a row, the second, and all others: for answers that never came and for 5xx. */
const PAUSES_S = [1, 4, 9];

/**
 * When GitHub may be asked again. It is told every answer, and every request waits for it: Octokit decides whether something
 * is tried again, this decides when. So nothing comes too early, not even the next pass, and every wait ends with its pass.
 */
export class Pace {
  readonly #log: Logger;
  readonly #secondMs: number;
  readonly #now: () => number;
  /** By resource, by the same clock. */
  readonly #until: Record<Resource, number> = { core: 0, graphql: 0 };
  /** Whether the last answer said how long to wait. That time may be over when the error is handled. */
  readonly #told: Record<Resource, boolean> = { core: false, graphql: false };
  readonly #budget = new Map<Resource, { remaining: number; limit: number }>();
  #strikes = 0;
  #failures = 0;

  constructor({ log, secondMs, now = () => performance.now() }: PaceOptions) {
    this.#log = log;
    this.#secondMs = secondMs;
    this.#now = now;
  }

  /** Seconds, as GitHub counts them, until a request may leave; 0: now. */
  waitS(resource: Resource): number {
    return Math.max(0, (this.#until[resource] - this.#now()) / this.#secondMs);
  }

  /** The same in milliseconds of this machine. */
  waitMs(resource: Resource): number {
    return Math.ceil(this.waitS(resource) * this.#secondMs);
  }

  /** What is left of each resource, where GitHub has told. */
  budget(): Record<string, { remaining: number; limit: number }> {
    return Object.fromEntries(this.#budget);
  }

  /** Takes in what the headers of an answer say. */
  note(resource: Resource, status: number, headers: Headers): void {
    const remaining = wholeNumber(headers.get('x-ratelimit-remaining'));
    const limit = wholeNumber(headers.get('x-ratelimit-limit'));
    if (remaining !== null && limit !== null) this.#budget.set(resource, { remaining, limit });
    if (remaining === 0) this.#rest([resource], secondsUntil(headers.get('x-ratelimit-reset')), 'budget is spent');
    // Limits of queries come with a status of 200, too.
    const told = retryAfterS(headers.get('retry-after'));
    if (told !== null) this.#rest(['core', 'graphql'], told, 'was told to wait');
    this.#told[resource] = remaining === 0 || told !== null;
    if (status < 500) this.#failures = 0;
    else this.noteFailure();
  }

  /** Takes in that there was no whole answer. */
  noteFailure(): void {
    this.#rest(['core', 'graphql'], PAUSES_S[this.#failures] ?? 0, 'failed');
    this.#failures = Math.min(this.#failures + 1, PAUSES_S.length - 1);
  }

  /** Takes in that an answer was what was asked for: no limit is exceeded any more. */
  noteGood(): void {
    this.#strikes = 0;
  }

  /**
   * Takes in that a limit was exceeded, as a message says; the headers of the same answer have been noted.
   * @param leastS what whoever read the message would wait for; absent: it tells nothing
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
    this.#log[level]({ resources, waitS, why }, 'github is left alone for a while');
  }
}

type Why = 'budget is spent' | 'was told to wait' | 'limit exceeded' | 'failed';

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** One more than told, so that clocks that differ a little do not matter. */
function secondsUntil(reset: string | null): number {
  const epochS = wholeNumber(reset);
  return epochS === null ? UNTOLD_S : Math.max(0, Math.ceil(epochS - Date.now() / 1000)) + 1;
}

/** Seconds, or a date. */
function retryAfterS(text: string | null): number | null {
  if (text === null) return null;
  const seconds = wholeNumber(text);
  if (seconds !== null) return seconds;
  const at = Date.parse(text);
  return Number.isNaN(at) ? UNTOLD_S : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
