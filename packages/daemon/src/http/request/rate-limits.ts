import { DavitError, type InstanceSettings } from '@davit/api';
import type { Actor } from '../../auth/context.ts';

const WINDOW_S = 60;
/**
 * Maximum number of users with a stored request counter. If the counter of a user is deleted, the user has the full
 * limit again.
 */
const KEPT = 10_000;

/** Values of the rate limit headers in a response. */
export interface Allowance {
  /** Value of the header `RateLimit-Policy`, for example `"caller";q=600000;w=60`. */
  policy: string;
  /**
   * Value of the header `RateLimit`, such as `"caller";r=599999;t=1`. `r` is the number of remaining requests. `t` is
   * the number of seconds until the full limit is available.
   */
  left: string;
}

interface Bucket {
  left: number;
  at: number;
}

/**
 * Limits the request rate of each user with a token bucket. The buckets are stored only in memory. After a restart,
 * each user has the full limit again, which does no harm.
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
   * Counts one request of a caller.
   * @param now time from `performance.now()`
   * @throws DavitError too_many_requests, with the time to wait
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
      const message = `You have reached the limit of ${most} requests per minute. Wait a moment, then send requests less often.`;
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
