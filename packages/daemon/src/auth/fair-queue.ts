import { DavitError } from '@davit/api';

/** More at a time would not be faster on two cores, and would take memory and threads from everything else. */
const AT_ONCE = 2;
const WAITING = 20;

/** Who something is done for. */
export interface Claimant {
  /** Where it comes from: those of one source wait behind each other. */
  source: string;
  /** It comes from somebody who is known, and does not wait behind those who are not. */
  known: boolean;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

/**
 * Runs costly work, two at a time; a short queue waits, and who comes after that is sent away. Sources take turns, and one
 * that holds more places than another gives one up when the queue is full, so that no single source can hold them all.
 * Who is known waits in a queue of their own, which goes first: strangers cannot fill that one.
 */
export class FairQueue {
  readonly #known: Waiting[] = [];
  /** What waits of each source; the first source is the next to have its turn. */
  readonly #strangers = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  /** @throws DavitError too_many_requests */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    // Whoever ends hands its place over, so that the count stays as it is.
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

  /** Sends away the last of the source that holds most places, when that is still more than the newcomer's will. */
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
  const message = 'Too many sign-ins at this moment: try again in a second.';
  return new DavitError('too_many_requests', message, { retryAfterS: 1 });
}
