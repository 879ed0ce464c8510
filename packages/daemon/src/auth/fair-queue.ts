import { DavitError } from '@davit/api';

/**
 * Maximum number of password hashes that are calculated at the same time. More would not be faster on two cores. It
 * would take memory and threads from other work.
 */
const AT_ONCE = 2;
const WAITING = 20;

/** Client that requests expensive work, such as a password check. */
export interface Claimant {
  /** Network of the client. Requests of one network wait in one line. */
  source: string;
  /**
   * Whether the client is known, for example from an earlier sign-in. Known clients do not wait behind unknown
   * clients.
   */
  known: boolean;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs expensive work, two at a time. Further work waits in a short queue, and work that does not fit is rejected.
 *
 * Networks take turns. If the queue is full, the network with the most waiting requests loses its last one. So no
 * network can fill the queue. Known clients have a separate queue with priority, which unknown clients cannot fill.
 */
export class FairQueue {
  readonly #known: Waiting[] = [];
  /** Waiting requests of unknown clients by network. The first network in the map has the next turn. */
  readonly #strangers = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** Runs work when it is its turn. @throws DavitError too_many_requests if the queue is full */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    // Work that ends passes its turn directly to the next request, so the number of running tasks does not change.
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
   * Makes room in a full queue. Finds the network with the most waiting requests and rejects its last one. Does
   * nothing if that network would then have fewer than the network of the new request.
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
