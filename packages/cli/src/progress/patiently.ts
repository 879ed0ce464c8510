import { DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';

const PAUSE_MS = 1_000;
/**
 * Maximum time in milliseconds for retries while the instance restarts or updates. An update on a slow server can take
 * this long.
 */
const PATIENCE_MS = 3 * 60_000;

/**
 * Sends an API request, and repeats it for at most 3 minutes while the instance is unavailable. A request is not
 * repeated after a permanent error.
 * @throws the last error
 */
export async function patiently<T>(sendRequest: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await sendRequest();
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
  const retryAfterS = error instanceof DavitError ? error.retryAfterS : undefined;
  return Math.max(PAUSE_MS, Math.min((retryAfterS ?? 0) * 1_000, 10 * PAUSE_MS));
}

/**
 * Waits for a number of milliseconds.
 * @throws the abort reason if the signal is aborted meanwhile
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
