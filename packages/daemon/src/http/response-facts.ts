import type { Allowance } from './request/rate-limits.ts';

/** Properties of a request that determine the headers of its response. */
export interface ResponseFacts {
  requestId: string;
  /** Whether the URL path is below `/api`. Caches must not store such responses. */
  isApi: boolean;
  /** Whether the client's own connection uses TLS. */
  isSecure: boolean;
  /** Values of the rate limit headers, or `null` without a caller. */
  allowance: Allowance | null;
  /** Whether the response is a repetition of the first response for this `Idempotency-Key`. */
  isReplayed: boolean;
}
