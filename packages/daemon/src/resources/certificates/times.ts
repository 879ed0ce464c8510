/** When a certificate is renewed, and when what did not succeed is tried again. Pure; milliseconds. */
import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;

/** Four tries in the first hour: the fifth failure of an hour is one that authorities count. */
const BACKOFF_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * Longer than this nothing waits: no limit of an authority lasts longer. One that asks for a year is not believed, and a
 * moment further ahead was written while the clock was wrong.
 */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * MINUTE_MS;

/** Certificates that were ordered together are renewed over this share of their life, and not all at once. */
const JITTER = 1 / 30;

/** At two thirds of its life, or a little later: always the same moment for the same certificate. */
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

/** How long to wait after so many failures in a row, one at least. */
export function backoffMs(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? MINUTE_MS;
}
