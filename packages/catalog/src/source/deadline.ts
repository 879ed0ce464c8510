/**
 * Abort signal that combines a timeout with another signal. `AbortSignal.any` is not used, because it would keep the
 * timers and listeners of thousands of signals in memory.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #end: () => void;

  constructor(ms: number, outer: AbortSignal | null | undefined) {
    const controller = new AbortController();
    this.signal = controller.signal;
    const follow = () => controller.abort(outer?.reason);
    const timer = setTimeout(() => controller.abort(new Error(`no complete response within ${ms / 1000} s`)), ms);
    if (outer?.aborted) follow();
    outer?.addEventListener('abort', follow, { once: true });
    this.#end = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    };
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
