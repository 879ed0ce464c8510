import type { Allowance } from './request/rate-limits.ts';

/** What decides the headers of an answer. */
export interface ResponseFacts {
  requestId: string;
  /** The path is below `/api`: nothing of it is ever kept by a cache. */
  isApi: boolean;
  /** The caller's connection is encrypted. */
  isSecure: boolean;
  /** What the caller may still ask; null where nobody is known. */
  allowance: Allowance | null;
  /** It is answered as the first request with its Idempotency-Key was. */
  isReplayed: boolean;
}
