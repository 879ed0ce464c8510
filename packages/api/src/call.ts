import type { Method } from './operation.ts';

/** How an operation is asked for: all that the client needs at run time, without the schemas it is typed by. */
export interface Call {
  method: Method;
  /** Below `/api`, with `{name}` parameters. */
  path: string;
  /** It can be followed. */
  live: boolean;
}
