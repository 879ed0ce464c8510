import { DavitError } from '@davit/api';

const FAILURES = 10;
const WINDOW_MS = 15 * 60_000;
/** Beyond this the oldest counts are forgotten: guessing for ever under new names must not fill the memory. */
const KEPT = 10_000;

interface Count {
  failures: number;
  since: number;
}

/** Counts failures by account and address: ten in a quarter of an hour, then a wait. In memory. */
export class Throttle {
  readonly #counts = new Map<string, Count>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs an attempt. It counts as a failure until it has succeeded, so that many at once cannot slip past the limit.
   * @param attempt answers whether it succeeded; one that throws was no attempt
   * @throws DavitError too_many_requests
   */
  async attempt(account: string, address: string, attempt: () => Promise<boolean>): Promise<boolean> {
    // No account or address has this separator in it.
    const key = `${address}\0${account}`;
    const count = this.#begin(key);
    try {
      const succeeded = await attempt();
      if (succeeded) this.#counts.delete(key);
      return succeeded;
    } catch (error) {
      count.failures -= 1;
      throw error;
    }
  }

  #begin(key: string): Count {
    const now = this.#now();
    let count = this.#counts.get(key);
    if (count && now - count.since >= WINDOW_MS) count = undefined;
    if (count && count.failures >= FAILURES) {
      const retryAfterS = Math.ceil((count.since + WINDOW_MS - now) / 1_000);
      const message = 'Too many failed attempts from your address: wait a quarter of an hour and try again.';
      throw new DavitError('too_many_requests', message, { retryAfterS });
    }
    count ??= { failures: 0, since: now };
    count.failures += 1;
    this.#counts.delete(key);
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > KEPT && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
