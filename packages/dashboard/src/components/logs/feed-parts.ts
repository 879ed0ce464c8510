import type { LogHeard, LogLine } from '../../live/live.ts';
import type { Bounds } from './log-buffer.ts';
import type { LogFilter, Period } from './log-filter.ts';

/** Fetches the newest log lines that match the filter in a period, oldest first. */
export type ReadLines = (period: Period, limit: number) => Promise<{ lines: LogLine[]; more: boolean }>;

export interface FeedParts {
  /** Subscribes to the live log of the app. Returns a function that unsubscribes. `null` for a past period. */
  follow: ((listener: (heard: LogHeard) => void) => () => void) | null;
  read: ReadLines;
  filter: LogFilter;
  period: Period;
  bounds?: Bounds;
  /** Calls a function before the next repaint. Default: `requestAnimationFrame`. */
  onFrame?: (callback: () => void) => void;
  clock?: () => number;
}
