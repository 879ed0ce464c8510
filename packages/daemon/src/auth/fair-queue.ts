import { DavitError } from '@davit/api';

/**
 * Maximum number of concurrent runs. More would not be faster on two cores and would take memory and threads from other
 * work.
 */
const AT_ONCE = 2;
const WAITING = 20;

/** Requester of the work. */
export interface Claimant {
  /** Source of the request. Requests of one source wait in one line. */
  source: string;
  /** Whether the requester is known. Known requesters do not wait behind unknown requesters. */
  known: boolean;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs costly work with a concurrency of two. Further work waits in a short queue, and work beyond the queue is
 * refused. Sources take turns. If the queue is full, a source with more waiting requests loses its last request to a
 * source with fewer. So no source can fill the queue. Known requesters have a separate queue with priority, which
 * unknown requesters cannot fill.
 */
export class FairQueue {
  readonly #known: Waiting[] = [];
  /** Waiting requests by source. The first source has the next turn. */
  readonly #strangers = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** Runs work when it has its turn. @throws DavitError too_many_requests */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    // Ending work passes its turn to the next request, so the count does not change.
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
   * Refuses the last request of the source with the most waiting requests, if that source still has more than the new
   * request's source.
   * @returns whether there is room
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
