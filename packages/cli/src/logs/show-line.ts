import type { Paint } from '../output/paint.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';

/** One line of an app, as the API tells it. */
export interface Line {
  instance: string;
  stream: 'stdout' | 'stderr';
  at: string;
  line: string;
}

interface LineLook {
  paint: Paint;
  /** The terminal has colours, and an app may use them. */
  colours: boolean;
  timestamps: boolean;
  /** Which instance wrote it goes before it. */
  names: boolean;
}

/** What an app writes never reaches the terminal as it is: only colours do, and they end with the line. */
export function shownLine({ instance, at, line }: Line, { paint, colours, timestamps, names }: LineLook): string {
  const before = [...(timestamps ? [safeLine(at)] : []), ...(names ? [`${safeLine(instance)} |`] : [])].join(' ');
  const text = safeLogLine(line, colours);
  return before === '' ? text : `${paint(before, 'dim')} ${text}`;
}
