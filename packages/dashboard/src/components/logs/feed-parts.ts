import type { LogHeard, LogLine } from '../../live/live.ts';
import type { Bounds } from './log-buffer.ts';
import type { LogFilter, Period } from './log-filter.ts';

/** Reads the newest matching lines of a period, oldest first. */
export type ReadLines = (period: Period, limit: number) => Promise<{ lines: LogLine[]; more: boolean }>;

export interface FeedParts {
  /** Follows the log, or `null` for a past period that needs no live lines. */
  follow: ((listener: (heard: LogHeard) => void) => () => void) | null;
  read: ReadLines;
  filter: LogFilter;
  period: Period;
  bounds?: Bounds;
  /** Calls the callback before the next frame. */
  onFrame?: (callback: () => void) => void;
  clock?: () => number;
}
