import { duration } from '../output/duration.ts';
import type { Paint } from '../output/paint.ts';
import { safeLine } from '../output/safe-text.ts';
import { stepName } from '../output/words.ts';
import type { Step } from './steps.ts';

/**
 * Length of the longest step name, `former-container`, in characters. A longer name would shift the column with the
 * durations.
 */
const NAME_WIDTH = 16;

/**
 * Formats a step of a deployment or task with its duration.
 * @param ranMs duration of a running step in milliseconds, measured with the clock of the user's machine
 */
export function stepLine({ name, state, tookMs }: Step, paint: Paint, spinner = '…', ranMs = 0): string {
  const mark = { running: paint(spinner, 'cyan'), done: paint('✓', 'green'), failed: paint('✗', 'red') }[state];
  const label = safeLine(stepName(name)).padEnd(NAME_WIDTH);
  const took = duration(tookMs ?? ranMs);
  return `  ${mark} ${state === 'failed' ? paint(label, 'red') : label} ${paint(took, 'dim')}`;
}
