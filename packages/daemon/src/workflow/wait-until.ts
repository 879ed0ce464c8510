import type { CommittedEvent, Store } from '../db/store.ts';

/**
 * Waits until `over` returns `true`. Calls `over` at once, and after each event for which `concerns` returns `true`.
 * @throws the abort reason of `signal`
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
