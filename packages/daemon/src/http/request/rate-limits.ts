import { DavitError, type InstanceSettings } from '@davit/api';
import type { Actor } from '../../auth/context.ts';

const WINDOW_S = 60;
/** Beyond this the bucket that was made first is forgotten, which fills it. */
const KEPT = 10_000;

/** What a caller may still ask, as its answers say. */
export interface Allowance {
  /** `"caller";q=600000;w=60`. */
  policy: string;
  /** `"caller";r=599999;t=1`: so many are left, and in so many seconds all are there again. */
  left: string;
}

interface Bucket {
  left: number;
  at: number;
}

/**
 * How many requests a caller may make: a bucket that is filled evenly, so that a burst of a whole minute's worth is
 * allowed, and then the even rate. By user, whatever he asks with; in memory, since a restart harms nobody.
 */
export class RateLimits {
  readonly #settings: () => InstanceSettings;
  readonly #buckets = new Map<number | null, Bucket>();
  #most = 0;
  #policy = '';

  constructor(settings: () => InstanceSettings) {
    this.#settings = settings;
  }

  /**
   * Takes one request from the caller's bucket.
   * @param now of `performance`
   * @throws DavitError too_many_requests with the seconds until there is room for one
   */
  take({ userId }: Actor, now: number): Allowance {
    const most = this.#settings().api.requests_per_minute;
    if (most !== this.#most) {
      this.#most = most;
      this.#policy = `"caller";q=${most};w=${WINDOW_S}`;
    }
    const perMs = most / (WINDOW_S * 1_000);
    const bucket = this.#bucket(userId, now);
    bucket.left = Math.min(most, bucket.left + (now - bucket.at) * perMs);
    bucket.at = now;
    if (bucket.left < 1) {
      const message = `You have made your ${most} requests of this minute: wait a moment, and ask less often.`;
      throw new DavitError('too_many_requests', message, { retryAfterS: Math.ceil((1 - bucket.left) / perMs / 1_000) });
    }
    bucket.left -= 1;
    const fullInS = Math.ceil((most - bucket.left) / perMs / 1_000);
    return { policy: this.#policy, left: `"caller";r=${Math.floor(bucket.left)};t=${fullInS}` };
  }

  #bucket(userId: number | null, now: number): Bucket {
    const known = this.#buckets.get(userId);
    if (known) return known;
    const [oldest] = this.#buckets.keys().take(1);
    if (oldest !== undefined && this.#buckets.size >= KEPT) this.#buckets.delete(oldest);
    const bucket = { left: this.#most, at: now };
    this.#buckets.set(userId, bucket);
    return bucket;
  }
}
