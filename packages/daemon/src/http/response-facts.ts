import type { Allowance } from './request/rate-limits.ts';

/** Facts that determine the headers of a response. */
export interface ResponseFacts {
  requestId: string;
  /** Whether the path is below `/api`. Caches must not store such responses. */
  isApi: boolean;
  /** Whether the caller's connection is encrypted. */
  isSecure: boolean;
  /** Remaining requests of the caller, or `null` without a caller. */
  allowance: Allowance | null;
  /** Whether the response repeats the response to the first request with this `Idempotency-Key`. */
  isReplayed: boolean;
}
