import type { Logs } from './logs.ts';

/** Dependencies of the functions in this folder. */
export interface LogsDeps {
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /** Stored log lines of apps. */
  logs: Logs;
}
