import { DavitError } from '@davit/api';

/**
 * Maximum number of password hashes that are calculated at the same time. More would not be faster on two CPU cores,
 * and would take memory and threads from other work.
 */
const AT_ONCE = 2;
const WAITING = 20;

/** Client that requests expensive work, such as a password check. */
export interface Claimant {
  /** Network of the client. Requests of one network wait in one queue. */
  source: string;
  /**
   * Whether the client is known, for example because the user signed in from its network before. Requests of known
   * clients are handled before requests of unknown clients.
   */
  known: boolean;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs expensive work, such as password hashing, two at a time. Further requests wait in short queues. If a queue is
 * full, a request is rejected.
 *
 * Each network of unknown clients has its own queue, and the networks take turns. If too many requests wait, the last
 * request of the network with the most waiting requests is rejected. So one network cannot displace all others. Known
 * clients have a separate queue, which is handled first.
 */
export class FairQueue {
  readonly #known: Waiting[] = [];
  /** Waiting requests of unknown clients, by network. A request of the first network in the map runs next. */
  readonly #strangers = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** Waits until there is capacity, then runs `work`. @throws DavitError too_many_requests if the queue is full */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    // If work ends while other work waits, `#running` does not change, because the next work starts immediately.
    if (this.#running >= AT_ONCE) await this.#turn(claimant);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next) next.begin();
      else this.#running -= 1;
    }
  }

  #turn({ source, known }: Claimant): Promise<void> {
    const line = known ? this.#known : (this.#strangers.get(source) ?? []);
    if (known ? line.length >= WAITING : this.#waiting >= WAITING && !this.#makeRoom(line.length)) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    line.push({ begin: resolve, refuse: reject });
    if (!known) {
      this.#strangers.set(source, line);
      this.#waiting += 1;
    }
    return promise;
  }

  /**
   * Makes room for a request of an unknown client. Rejects the last request of the network with the most waiting
   * requests. Does nothing if the new request's network would then have more waiting requests than that network.
   * @param held number of waiting requests of the new request's network
   * @returns whether there is room now
   */
  #makeRoom(held: number): boolean {
    let most: Waiting[] = [];
    for (const line of this.#strangers.values()) if (line.length > most.length) most = line;
    if (most.length <= held + 1) return false;
    most.pop()?.refuse(busy());
    this.#waiting -= 1;
    return true;
  }

  #next(): Waiting | undefined {
    const known = this.#known.shift();
    if (known) return known;
    for (const [source, line] of this.#strangers) {
      const next = line.shift();
      this.#strangers.delete(source);
      if (line.length > 0) this.#strangers.set(source, line);
      this.#waiting -= 1;
      return next;
    }
    return undefined;
  }
}

function busy(): DavitError {
  const message = 'Too many sign-ins are in progress. Try again in a second.';
  return new DavitError('too_many_requests', message, { retryAfterS: 1 });
}
