import { DavitError } from '@davit/api';

/** How many may be open at once. */
export interface PlaceLimits {
  ofUser: () => number;
  /** Of all users together; absent: as many as they have. */
  ofAll?: number;
}

/** Counts what stays open, such as streams, by who opened it. */
export class Places {
  readonly #what: string;
  readonly #limits: PlaceLimits;
  readonly #ofUser = new Map<number | null, number>();
  #taken = 0;

  /** @param what is counted, in the plural */
  constructor(what: string, limits: PlaceLimits) {
    this.#what = what;
    this.#limits = limits;
  }

  /**
   * Takes one of the user's places; answers the function that gives it back, once however often it is called.
   * @throws DavitError too_many_requests when there is none
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
    const message = `${whose} ${this.#what} open, which is as many as there may be: close some first.`;
    return new DavitError('too_many_requests', message, { retryAfterS: 5 });
  }
}
