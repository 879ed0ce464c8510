/**
 * Waits for a promise until the signal aborts. What the promise stands for goes on.
 * @throws what the promise rejects with; the signal's reason
 */
export async function unlessAborted<T>(promise: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal?.aborted) onAbort();
    return await Promise.race([aborted, promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
