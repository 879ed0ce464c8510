import { DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';

const PAUSE_MS = 1_000;
/** Time in milliseconds in which an instance is back after a restart or an update, also on a slow machine. */
const PATIENCE_MS = 3 * 60_000;

/**
 * Retries while the instance is unavailable. An instance can restart while its apps keep serving.
 * @throws other errors, or the last error if the instance does not come back
 */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error) || performance.now() > until) throw error;
      await pause(waitFor(error), signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof CliError) return error.exit === 'unreachable';
  return error instanceof DavitError && error.retryable;
}

function waitFor(error: unknown): number {
  const asked = error instanceof DavitError ? error.retryAfterS : undefined;
  return Math.max(PAUSE_MS, Math.min((asked ?? 0) * 1_000, 10 * PAUSE_MS));
}

/**
 * Waits.
 * @throws the reason of the signal if it is aborted before
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
