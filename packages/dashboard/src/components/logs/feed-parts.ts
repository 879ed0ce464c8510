import type { LogLine, LogMessage } from '../../live/live.ts';
import type { Bounds } from './log-buffer.ts';
import type { LogFilter, Period } from './log-filter.ts';

/**
 * Fetches log lines of a period from the server, oldest first. If more than `limit` lines match the filter, only the
 * newest lines are returned.
 */
export type ReadLines = (period: Period, limit: number) => Promise<{ lines: LogLine[]; more: boolean }>;

export interface FeedParts {
  /**
   * Subscribes to the live log of an app and returns a function that unsubscribes. `follow` is `null` if the page shows
   * a past period.
   */
  follow: ((listener: (heard: LogMessage) => void) => () => void) | null;
  read: ReadLines;
  filter: LogFilter;
  period: Period;
  bounds?: Bounds;
  /** Calls a function before the next repaint. Default: `requestAnimationFrame`. */
  onFrame?: (callback: () => void) => void;
  clock?: () => number;
}
