import { CliError } from '../errors/exit.ts';

export const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const NOT_ALLOWED = 1_008;
const FAILED = 1_011;

/**
 * Returns the reason why a terminal ended without an exit code.
 * @param reason text of the instance
 */
export function whyClosed(code: number, reason: string, signal: AbortSignal): CliError {
  const words = (fallback: string) => reason || fallback;
  if (signal.aborted) return new CliError('interrupted', 'Interrupted. The program was ended.');
  if (code === GOING_AWAY) return new CliError('busy', words('The instance is stopping. Connect again in a moment.'));
  if (code === NOT_ALLOWED) return new CliError('forbidden', words('You no longer have the right to do this.'));
  if (code === FAILED) return new CliError('failed', words('The terminal failed. Connect again.'));
  if (code === NORMAL) return new CliError('failed', 'The program ended with an unknown exit code.');
  return new CliError('unreachable', 'The connection broke, and the program was ended. Connect again.');
}
