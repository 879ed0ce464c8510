import type { Method } from './operation.ts';

/**
 * HTTP method and path of an API operation. At run time, the API client uses this small object. The complete operation
 * would also load its schemas.
 */
export interface Call {
  method: Method;
  /** Path below `/api`, with parameters such as `{name}`. */
  path: string;
  /** Whether the operation can return an event stream. */
  live: boolean;
}
