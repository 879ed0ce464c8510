import type { Paint } from '../output/paint.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';

/** Log line of an app as the API returns it. */
export interface Line {
  replica: string;
  stream: 'stdout' | 'stderr';
  at: string;
  line: string;
}

interface LineLook {
  paint: Paint;
  /** Whether the terminal output keeps the colors in log lines of the app. */
  colours: boolean;
  timestamps: boolean;
  /** Whether to print the name of the replica before the log line. */
  names: boolean;
}

/**
 * Formats a log line for the terminal. Removes all control characters except colors, and resets the colors at the end
 * of the line.
 */
export function shownLine({ replica, at, line }: Line, { paint, colours, timestamps, names }: LineLook): string {
  const before = [...(timestamps ? [safeLine(at)] : []), ...(names ? [`${safeLine(replica)} |`] : [])].join(' ');
  const text = safeLogLine(line, colours);
  return before === '' ? text : `${paint(before, 'dim')} ${text}`;
}
