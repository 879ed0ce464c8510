import type { Method } from './operation.ts';

/** Data of an operation that the client needs at run time, without its schemas. */
export interface Call {
  method: Method;
  /** Path below `/api`, with `{name}` parameters. */
  path: string;
  /** Whether the operation can be followed. */
  live: boolean;
}
