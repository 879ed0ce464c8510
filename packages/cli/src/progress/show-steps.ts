import { duration } from '../output/duration.ts';
import type { Paint } from '../output/paint.ts';
import { safeLine } from '../output/safe-text.ts';
import type { Step } from './steps.ts';

/** Maximum length of the description of a step, in characters. A longer text would shift the column with the durations. */
export const STEP_WIDTH = 42;

/**
 * Formats a step of a deployment or task with its duration.
 * @param says description of the step
 * @param ranMs duration of a running step in milliseconds, measured with the clock of the user's machine
 */
export function stepLine(
  { state, tookMs }: Pick<Step, 'state' | 'tookMs'>,
  says: string,
  paint: Paint,
  spinner = '…',
  ranMs = 0,
): string {
  const mark = { running: paint(spinner, 'cyan'), done: paint('✓', 'green'), failed: paint('✗', 'red') }[state];
  const label = safeLine(says).padEnd(STEP_WIDTH);
  const took = duration(tookMs ?? ranMs);
  return `  ${mark} ${state === 'failed' ? paint(label, 'red') : label} ${paint(took, 'dim')}`;
}
