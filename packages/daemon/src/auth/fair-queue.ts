import { DavitError } from '@davit/api';

/**
 * Maximum number of password hashes that are calculated at the same time. A higher number would not be faster on two
 * CPU cores. Other work would have less memory and fewer threads.
 */
const AT_ONCE = 2;
const WAITING = 20;

/**
 * Client that requests expensive work, such as a password check. The client may have to wait, because the server works
 * for only a few clients at the same time.
 */
export interface Claimant {
  /** Network of the client's IP address. Requests of unknown clients from the same network wait in one queue. */
  source: string;
  /**
   * Whether the client is known, for example because its user has already signed in from this network. Known clients
   * have priority over unknown clients.
   */
  known: boolean;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs expensive work, such as password hashing, at most two at a time. Other requests wait in queues.
 *
 * Clients that have signed in before wait in a separate queue, which has priority. All other clients wait in one queue
 * for each network, and the networks take turns. If too many clients of these networks wait, the newest request of the
 * longest queue is rejected. A single network therefore cannot block the others.
 */
export class FairQueue {
  readonly #known: Waiting[] = [];
  /**
   * Map from network to the waiting requests of unknown clients in this network. The first network in the map has the
   * next turn, and then moves to the end of the map.
   */
  readonly #strangers = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** Waits until there is capacity, then runs `work`. @throws DavitError too_many_requests if the queue is full */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    // A request that has waited replaces a finished request, so the number of running requests stays the same.
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
   * Makes room for a new request in a full queue. Rejects the newest request of the network with the most waiting
   * requests. This network must have at least two more waiting requests than the network of the new request.
   * @param held number of waiting requests from the network of the new request
   * @returns whether there is room for the new request
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
