import { hash } from 'node:crypto';
import { DavitError } from '@davit/api';
import { addressGroup, addressNetwork } from './facts.ts';

const MINUTE_MS = 60_000;
const PER_NETWORK = { most: 10, windowMs: 15 * MINUTE_MS };
const PER_ACCOUNT = { most: 100, windowMs: 24 * 60 * MINUTE_MS };
const PER_ADDRESS = { most: 60, windowMs: MINUTE_MS };
/**
 * Beyond this the oldest counts are forgotten: guessing for ever under new names must not fill the memory. More than can
 * be hashed in a quarter of an hour, so that nobody's own count is pushed out by it.
 */
const KEPT = 64_000;

export interface Attempt {
  /** The name as it was given; it need not be anybody's. */
  account: string;
  address: string;
  /** There is such an account. */
  exists: boolean;
  /** Whether what all places have guessed together counts. */
  capped: boolean;
}

/**
 * Slows guessing down by where it comes from and what it is about, without shutting out whose account it is: ten failures
 * of a network at one account in a quarter of an hour; a hundred a day at one account from everywhere together, from which
 * networks are free that have signed in to it before; sixty attempts a minute of one address. In memory.
 *
 * Names that are nobody's are counted as those of accounts are, so that what is answered does not tell them apart. Their
 * counts are kept apart: making up names cannot push out what is counted for an account, of which there are few, each with
 * a hundred failures a day and its own networks.
 */
export class Throttle {
  readonly #ofAddresses = new Counts(PER_ADDRESS);
  readonly #accounts = { networks: new Counts(PER_NETWORK, Infinity), all: new Counts(PER_ACCOUNT, Infinity) };
  readonly #strangers = { networks: new Counts(PER_NETWORK), all: new Counts(PER_ACCOUNT) };
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts an attempt of an address, whatever it is about.
   * @throws DavitError too_many_requests
   */
  pace(address: string): void {
    const [host, now] = [addressGroup(address), this.#now()];
    demand(this.#ofAddresses.wait(host, now), 'Too many attempts from your address: wait a minute and try again.');
    this.#ofAddresses.add(host, now);
  }

  /**
   * Runs an attempt. It counts as a failure until it has succeeded, so that many at once cannot slip past the limit.
   * @param work answers whether it succeeded; one that throws was no attempt
   * @throws DavitError too_many_requests
   */
  async attempt({ account, address, exists, capped }: Attempt, work: () => Promise<boolean>): Promise<boolean> {
    const { networks, all } = exists ? this.#accounts : this.#strangers;
    const now = this.#now();
    const everywhere = digest(account);
    const here = digest(account, addressNetwork(address));
    demand(networks.wait(here, now), TOO_MANY_HERE);
    if (capped) demand(all.wait(everywhere, now), TOO_MANY_EVERYWHERE);
    networks.add(here, now);
    all.add(everywhere, now);
    try {
      const succeeded = await work();
      if (succeeded) {
        networks.forget(here);
        all.takeBack(everywhere);
      }
      return succeeded;
    } catch (error) {
      networks.takeBack(here);
      all.takeBack(everywhere);
      throw error;
    }
  }
}

const TOO_MANY_HERE = 'Too many failed attempts from your address: wait a quarter of an hour and try again.';
const TOO_MANY_EVERYWHERE =
  'Too many failed attempts for this account: sign in from where you have signed in before, or wait and try again.';

function demand(waitMs: number, message: string): void {
  if (waitMs > 0) throw new DavitError('too_many_requests', message, { retryAfterS: Math.ceil(waitMs / 1_000) });
}

/** Names are as long as a caller likes; what is kept of them is not. */
function digest(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 22);
}

interface Count {
  count: number;
  since: number;
}

/** Counts by key, each within a window that begins with its first. */
class Counts {
  /** In the order of their windows: a count is put in once and stays where it is. */
  readonly #counts = new Map<string, Count>();
  readonly #most: number;
  readonly #windowMs: number;
  readonly #kept: number;

  constructor({ most, windowMs }: { most: number; windowMs: number }, kept = KEPT) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#kept = kept;
  }

  /** How long to wait until one more is let through, in milliseconds; 0 for not at all. */
  wait(key: string, now: number): number {
    const known = this.#counts.get(key);
    if (known === undefined || known.count < this.#most) return 0;
    return Math.max(0, known.since + this.#windowMs - now);
  }

  add(key: string, now: number): void {
    this.#dropOver(now);
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { count: 1, since: now });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > this.#kept && oldest !== undefined) this.#counts.delete(oldest);
  }

  takeBack(key: string): void {
    const known = this.#counts.get(key);
    if (known && known.count > 0) known.count -= 1;
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }

  #dropOver(now: number): void {
    for (const [key, { since }] of this.#counts) {
      if (since + this.#windowMs > now) return;
      this.#counts.delete(key);
    }
  }
}
