/** Times of renewals and retries, in milliseconds. The functions are pure. */
import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;

/**
 * Waiting times after failures. They allow four attempts in the first hour, because authorities count the fifth failure
 * in an hour.
 */
const BACKOFF_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * Maximum waiting time. No limit of an authority lasts longer. Davit ignores longer requests of an authority, and later
 * times come from a wrong clock.
 */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * MINUTE_MS;

/** Share of the lifetime over which renewals spread, so that certificates ordered together are not renewed together. */
const JITTER = 1 / 30;

/**
 * Returns the renewal time, at two thirds of the lifetime or slightly later. A certificate always has the same renewal
 * time.
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
 * Returns the waiting time after a number of consecutive failures.
 * @param failures number of failures, at least 1
 */
export function backoffMs(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
}
