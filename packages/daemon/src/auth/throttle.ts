import { hash } from 'node:crypto';
import { DavitError } from '@davit/api';
import { addressGroup, addressNetwork } from './facts.ts';

const MINUTE_MS = 60_000;
/** Maximum number of failed sign-ins from one network for one account. */
const PER_NETWORK = { most: 10, windowMs: 15 * MINUTE_MS };
/**
 * Maximum number of failed sign-ins for one account from all networks together. Networks from which the user has signed
 * in before are not included.
 */
const PER_ACCOUNT = { most: 100, windowMs: 24 * 60 * MINUTE_MS };
/** Maximum number of sign-in requests from one IP address. */
const PER_ADDRESS = { most: 60, windowMs: MINUTE_MS };
/**
 * Maximum number of counters, because clients can send invented user names. The server cannot check 64,000 passwords in
 * 15 minutes. When the maximum is reached, the oldest network counters have therefore expired.
 */
const KEPT = 64_000;

export interface Attempt {
  /** User name as the client sent it. The account may not exist. */
  account: string;
  address: string;
  exists: boolean;
  /**
   * `true` if the limit of failed sign-ins from all networks applies. `false` if the user has signed in from this
   * network before.
   */
  capped: boolean;
}

/**
 * Limits failed sign-ins against password guessing, but does not lock out the owners of accounts. Sign-ins with unknown
 * user names are also counted, so that responses do not reveal which accounts exist.
 */
export class Throttle {
  readonly #ofAddresses = new Counts(PER_ADDRESS);
  /**
   * Counters for existing accounts. Invented user names have separate counters, so that they cannot replace these
   * counters. The number of counters is unlimited, because each account has few failed attempts a day.
   */
  readonly #accounts = { networks: new Counts(PER_NETWORK, Infinity), all: new Counts(PER_ACCOUNT, Infinity) };
  readonly #strangers = { networks: new Counts(PER_NETWORK), all: new Counts(PER_ACCOUNT) };
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts a sign-in request from an IP address, for all accounts together.
   * @throws DavitError too_many_requests
   */
  pace(address: string): void {
    const [host, now] = [addressGroup(address), this.#now()];
    demand(
      this.#ofAddresses.wait(host, now),
      'Your IP address sent too many sign-in requests. Wait a minute, then try again.',
    );
    this.#ofAddresses.add(host, now);
  }

  /**
   * Verifies a password. The attempt counts as failed until `work` succeeds. Otherwise, concurrent attempts could
   * exceed the limit.
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

const TOO_MANY_HERE = 'Your IP address made too many failed sign-in attempts. Wait 15 minutes, then try again.';
const TOO_MANY_EVERYWHERE =
  'This account had too many failed sign-in attempts. Sign in from a network where you signed in before, or wait and try again.';

function demand(waitMs: number, message: string): void {
  if (waitMs > 0) throw new DavitError('too_many_requests', message, { retryAfterS: Math.ceil(waitMs / 1_000) });
}

/** Returns a hash of fixed length for use as a map key, because clients can send very long user names. */
function digest(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 22);
}

interface Count {
  count: number;
  since: number;
}

/**
 * Counts attempts for each key, such as an account. A counter starts with the first attempt and is removed after a
 * fixed time.
 */
class Counts {
  /** Map from key to counter. The oldest counter is the first entry. */
  readonly #counts = new Map<string, Count>();
  readonly #most: number;
  readonly #windowMs: number;
  readonly #kept: number;

  constructor({ most, windowMs }: { most: number; windowMs: number }, kept = KEPT) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#kept = kept;
  }

  /** Returns the time in milliseconds until the next attempt is allowed. Returns 0 if an attempt is allowed now. */
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
