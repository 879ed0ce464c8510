/**
 * Waits until a promise resolves or the signal is aborted. An abort does not stop the operation behind the promise.
 * @throws the error of the promise
 * @throws the reason of the signal
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
