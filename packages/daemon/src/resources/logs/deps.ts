import type { Logs } from './logs.ts';

/** What the functions of this folder work with. */
export interface LogsDeps {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** What apps wrote. */
  logs: Logs;
}
