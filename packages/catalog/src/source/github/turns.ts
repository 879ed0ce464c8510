/** Mutex that gives exclusive access to one caller at a time, in order of arrival. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Waits until the caller has exclusive access. The access ends when the caller disposes the result.
   * @throws the abort reason of the signal, as soon as the signal is aborted
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    const before = this.#last;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#last = Promise.all([before, over]);
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const stop = () => abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await Promise.race([before, aborted]);
    signal.removeEventListener('abort', stop);
    if (signal.aborted) end();
    signal.throwIfAborted();
    return { [Symbol.dispose]: end };
  }
}
