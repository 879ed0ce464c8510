import type { CommittedEvent, Store } from '../db/store.ts';

/**
 * Waits until a condition is true. Checks the condition at once, and again after database events.
 * @param over returns whether the condition is true
 * @param concerns returns whether an event can change the condition
 * @throws the abort reason of `signal` if `signal` is aborted
 */
export async function waitUntil(
  store: Store,
  concerns: (event: CommittedEvent) => boolean,
  over: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  const stop = store.onEvent((event) => {
    if (concerns(event) && over()) resolve();
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (over()) return;
    signal.throwIfAborted();
    await promise;
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}
