import type { LogHeard, LogLine } from '../../live/live.ts';
import type { Bounds } from './log-buffer.ts';
import type { LogFilter, Period } from './log-filter.ts';

/** What a feed reads: the newest lines of a time that match, oldest first. */
export type ReadLines = (period: Period, limit: number) => Promise<{ lines: LogLine[]; more: boolean }>;

export interface FeedParts {
  /** Null: the time has been, and nothing is followed. */
  follow: ((listener: (heard: LogHeard) => void) => () => void) | null;
  read: ReadLines;
  filter: LogFilter;
  period: Period;
  bounds?: Bounds;
  /** Calls back before the next frame. */
  onFrame?: (callback: () => void) => void;
  clock?: () => number;
}
