import { duration } from '../output/duration.ts';
import { safeLogLine } from '../output/safe-text.ts';
import type { LiveView } from './live-view.ts';

/** Number of output lines that the terminal shows while a command is running. */
const WINDOW = 8;
/** Number of output lines that the terminal still shows after a command has failed. */
const TAIL = 20;

/**
 * Shows the output of a running command. A terminal shows only the last lines. If the command succeeds, these lines are
 * removed.
 * @param what description without control characters
 */
export async function watchProgram<T>(
  view: LiveView,
  what: string,
  work: (onLine: (line: string) => void) => Promise<T>,
): Promise<T> {
  const { paint } = view;
  const from = performance.now();
  const took = () => paint(duration(performance.now() - from), 'dim');
  const lines: string[] = [];
  const onLine = (line: string) => {
    const shown = paint(`  │ ${safeLogLine(line, false)}`, 'dim');
    lines.push(shown);
    if (lines.length > TAIL) lines.shift();
    if (!view.isLive) view.line(shown);
  };
  view.show((spinner) => [`${paint(spinner, 'cyan')} ${what} ${took()}`, ...lines.slice(-WINDOW)]);
  try {
    const result = await work(onLine);
    view.clear();
    view.line(`${paint('✓', 'green')} ${what} ${took()}`);
    return result;
  } catch (error) {
    view.clear();
    if (view.isLive) for (const line of lines) view.line(line);
    view.line(`${paint('✗', 'red')} ${what} ${took()}`);
    throw error;
  }
}
