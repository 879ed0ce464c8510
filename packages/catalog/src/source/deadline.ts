/**
 * A signal that is aborted after a time, or with another one. Unlike `AbortSignal.any` with `AbortSignal.timeout` it
 * leaves nothing behind when it is disposed of: a pass makes thousands.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #end: () => void;

  constructor(ms: number, outer: AbortSignal | null | undefined) {
    const controller = new AbortController();
    this.signal = controller.signal;
    const follow = () => controller.abort(outer?.reason);
    const timer = setTimeout(() => controller.abort(new Error(`no whole answer within ${ms / 1000} s`)), ms);
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
