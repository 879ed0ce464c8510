import { Worker } from 'node:worker_threads';
import type { FromReadme, ToReadme } from './worker.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/**
 * Options of the thread. The thread does not inherit flags of Node, such as those of the debugger. Its memory limit is
 * below the memory of the machine.
 */
const OPTIONS = { name: 'readme', resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 } };

/**
 * A thread that renders READMEs one after another. The thread is terminated if a README exceeds the limits of time or
 * memory.
 */
export class ReadmeThread implements AsyncDisposable {
  readonly #deadlineMs: number;
  #worker: Worker | null = null;

  /**
   * Creates a thread.
   * @param deadlineMs timeout for one README in milliseconds, after the thread has started
   */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** Returns the HTML, or `null` if the deadline is exceeded. Concurrent calls are not allowed. */
  async render(request: ToReadme): Promise<string | null> {
    const worker = this.#worker ?? (await this.#start());
    if (!worker) return null;
    worker.ref();
    const answered = answerOf(worker);
    worker.postMessage(request);
    const timer = setTimeout(() => void this[Symbol.asyncDispose](), this.#deadlineMs);
    const answer = await answered;
    clearTimeout(timer);
    // An idle thread must not keep the process alive.
    worker.unref();
    return answer === null || answer === 'ready' ? null : answer.html;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #start(): Promise<Worker | null> {
    const worker = new Worker(WORKER, OPTIONS);
    this.#worker = worker;
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return (await answerOf(worker)) === 'ready' ? worker : null;
  }
}

/** Returns the next message of a thread, or `null` if the thread ends before. */
function answerOf(worker: Worker): Promise<FromReadme | null> {
  const { promise, resolve } = Promise.withResolvers<FromReadme | null>();
  const onError = () => resolve(null);
  worker.once('message', resolve).once('error', onError).once('exit', onError);
  return promise.finally(() => {
    worker.off('message', resolve).off('exit', onError).off('error', onError);
    // A thread that ends between two READMEs emits `error`, which would crash the process without a listener.
    if (worker.listenerCount('error') === 0) worker.on('error', () => undefined);
  });
}
