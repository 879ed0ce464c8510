import { DavitError } from '@davit/api';

/** Maximum numbers of open connections, such as streams or shells. */
export interface ConnectionLimits {
  ofUser: () => number;
  /** Maximum number of open connections of all users together. Default: no limit. */
  ofAll?: number;
}

/** Limits the number of open connections, such as streams or shells, for each user and in total. */
export class ConnectionSlots {
  readonly #what: string;
  readonly #limits: ConnectionLimits;
  readonly #ofUser = new Map<number | null, number>();
  #taken = 0;

  /** @param what plural noun for the error message, for example `streams` */
  constructor(what: string, limits: ConnectionLimits) {
    this.#what = what;
    this.#limits = limits;
  }

  /**
   * Reserves one connection for a user. Returns a function that releases the connection. Further calls of this function
   * have no effect.
   * @throws DavitError too_many_requests
   */
  take(userId: number | null): () => void {
    const { ofUser, ofAll = Number.POSITIVE_INFINITY } = this.#limits;
    const own = this.#ofUser.get(userId) ?? 0;
    if (own >= ofUser()) throw this.#full(`You have ${own}`);
    if (this.#taken >= ofAll) throw this.#full(`There are ${this.#taken}`);
    this.#ofUser.set(userId, own + 1);
    this.#taken += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack(userId);
      isTaken = false;
    };
  }

  #giveBack(userId: number | null): void {
    this.#taken -= 1;
    const left = (this.#ofUser.get(userId) ?? 1) - 1;
    if (left > 0) this.#ofUser.set(userId, left);
    else this.#ofUser.delete(userId);
  }

  #full(whose: string): DavitError {
    const message = `${whose} ${this.#what} open, which is the limit. Close one first.`;
    return new DavitError('too_many_requests', message, { retryAfterS: 5 });
  }
}
