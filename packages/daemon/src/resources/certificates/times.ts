/**
 * Calculates the times of certificate renewals and retries, in milliseconds. All functions in this file are pure
 * (without side effects).
 */
import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;

/**
 * Delays in milliseconds after failed orders: four attempts in the first hour. Let's Encrypt allows five failed
 * validations per hour.
 */
const BACKOFF_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * Maximum time until the next certificate order in milliseconds. No known rate limit is longer, but a wrong clock can
 * cause a longer wait.
 */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Maximum extra delay of a renewal, as a fraction of the certificate's lifetime. The delay spreads the renewals of many
 * certificates.
 */
const JITTER = 1 / 30;

/**
 * Returns the renewal time of a certificate: after two thirds of its lifetime, plus a small delay that depends on its
 * fingerprint.
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
