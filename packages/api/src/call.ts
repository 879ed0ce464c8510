import type { Method } from './operation.ts';

/**
 * Data of an API operation that the client needs at run time. Loading the complete operation would also load its
 * schemas.
 */
export interface Call {
  method: Method;
  /** Path below `/api`, with parameters such as `{name}`. */
  path: string;
  /** Whether the operation can return an event stream. */
  live: boolean;
}
