import { duration } from './duration.ts';

/** Formats a duration in milliseconds. Returns `null` if the duration is not known yet. */
export function took(ms: number | null): string | null {
  return ms === null ? null : duration(ms);
}

/** Formats an RFC 3339 timestamp in UTC as `2026-01-31 14:05 UTC`. Sorting these texts also sorts the times. */
export function minute(time: string): string;
export function minute(time: string | null): string | null;
export function minute(time: string | null): string | null {
  return time === null ? null : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

export function day(time: string): string {
  return time.slice(0, 10);
}

/** Returns the text for the status of a deployment, task or run. The API uses the British spelling for one status. */
export function statusWord(status: string): string {
  return status === 'cancelled' ? 'canceled' : status;
}
