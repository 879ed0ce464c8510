import type { Allowance } from './request/rate-limits.ts';

/** Properties of a request that determine the headers of the HTTP response. */
export interface ResponseFacts {
  requestId: string;
  /** Whether the URL path is inside `/api`. Caches must not store responses of the API. */
  isApi: boolean;
  /**
   * Whether the client's connection uses TLS. If the request came through the proxy, this is the connection from the
   * client to the proxy.
   */
  isSecure: boolean;
  /** Values of the rate limit headers. `null` for a request without a sign-in. */
  allowance: Allowance | null;
  /** Whether the response is the stored response to an earlier request with the same `Idempotency-Key`. */
  isReplayed: boolean;
}
