/** Calculates the times of certificate renewals and retries, in milliseconds. All functions in this file are pure. */
import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;

/**
 * Delays in milliseconds after failed certificate orders. The delays allow four attempts in the first hour, because
 * Let's Encrypt allows only five failed validations per hour.
 */
const BACKOFF_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * Maximum time until the next certificate order in milliseconds. All known rate limits have a shorter period. A longer
 * wait is possible only if the system clock was wrong.
 */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Maximum extra delay of a certificate renewal, as a fraction of the certificate's lifetime. With the delay, many
 * certificates are not renewed at the same time.
 */
const JITTER = 1 / 30;

/**
 * Returns the renewal time of a certificate. This time is after two thirds of the certificate's lifetime, plus a small
 * delay that is computed from the certificate's fingerprint.
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
 * Returns the delay of the next certificate order after failed orders, in milliseconds.
 * @param failures number of consecutive failures, at least 1
 */
export function backoffMs(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
}
