/** Times of certificate renewals and retries, in milliseconds. The functions are pure. */
import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;

/**
 * Delays in milliseconds after failed certificate orders. They allow four attempts in the first hour, because Let's
 * Encrypt allows at most five failed validations per hour.
 */
const BACKOFF_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * Maximum delay until the next certificate order, in milliseconds. It equals the longest period of all rate limits that
 * Davit knows. A longer delay is not used, because it can only come from a wrong clock or a wrong server response.
 */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Fraction of a certificate's lifetime over which renewals are spread, so that certificates that were ordered together
 * have different renewal times.
 */
const JITTER = 1 / 30;

/**
 * Returns the time at which a certificate is renewed: after two thirds of its lifetime, plus a small delay. The delay
 * depends on the certificate's fingerprint.
 */
export function renewsAt({
  not_before: from,
  not_after: to,
  fingerprint,
}: {
  not_before: number;
  not_after: number;
  fingerprint: string;
}): number {
  const share = createHash('sha256').update(fingerprint).digest().readUInt32BE(0) / 2 ** 32;
  return Math.round(from + (to - from) * (2 / 3 + JITTER * share));
}

/**
 * Returns the delay of the next certificate order, in milliseconds.
 * @param failures number of consecutive failures, at least 1
 */
export function backoffMs(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
}
