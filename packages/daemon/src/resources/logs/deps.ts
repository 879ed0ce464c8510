import type { Logs } from './logs.ts';

export interface LogsDeps {
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  logs: Logs;
}
