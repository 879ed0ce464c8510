import type { Paint } from '../output/paint.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';

/** One log line of an app, as in the API. */
export interface Line {
  replica: string;
  stream: 'stdout' | 'stderr';
  at: string;
  line: string;
}

interface LineLook {
  paint: Paint;
  /** Whether colors of the app are shown, because the terminal supports colors. */
  colours: boolean;
  timestamps: boolean;
  /** Whether the name of the replica precedes the line. */
  names: boolean;
}

/** Formats a log line, which is made safe for the terminal. Only colors are kept, and they end with the line. */
export function shownLine({ replica, at, line }: Line, { paint, colours, timestamps, names }: LineLook): string {
  const before = [...(timestamps ? [safeLine(at)] : []), ...(names ? [`${safeLine(replica)} |`] : [])].join(' ');
  const text = safeLogLine(line, colours);
  return before === '' ? text : `${paint(before, 'dim')} ${text}`;
}
