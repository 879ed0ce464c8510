import type { Method } from './operation.ts';

/**
 * HTTP method and path of an API operation. The API client uses this small object at run time, because the complete
 * operation would also load its schemas.
 */
export interface Call {
  method: Method;
  /** Path below `/api`, with parameters such as `{name}`. */
  path: string;
  /** Whether the operation can return an event stream. */
  live: boolean;
}
