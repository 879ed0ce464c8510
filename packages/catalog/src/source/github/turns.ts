/** Lets one at a time go on, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Waits for one's turn, which ends when it is disposed of.
   * @throws the signal's reason, at once when it is aborted
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
