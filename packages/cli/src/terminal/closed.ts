import { CliError } from '../errors/exit.ts';

export const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const NOT_ALLOWED = 1_008;
const FAILED = 1_011;

/**
 * Returns the error for a WebSocket that was closed before the remote command sent its exit code.
 * @param reason close reason from the instance, or an empty text
 */
export function whyClosed(code: number, reason: string, signal: AbortSignal): CliError {
  const words = (fallback: string) => reason || fallback;
  if (signal.aborted) return new CliError('interrupted', 'Interrupted. The shell was stopped.');
  if (code === GOING_AWAY)
    return new CliError('busy', words('The instance is stopping. Connect again after its next start.'));
  if (code === NOT_ALLOWED)
    return new CliError('forbidden', words('You no longer have the permission to use the terminal.'));
  if (code === FAILED) return new CliError('failed', words('The connection to the terminal failed. Connect again.'));
  if (code === NORMAL) return new CliError('failed', 'The shell ended with an unknown exit code.');
  return new CliError('unreachable', 'The connection was interrupted, and the shell was stopped. Connect again.');
}
