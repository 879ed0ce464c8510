import { Worker } from 'node:worker_threads';
import type { FromReadme, ToReadme } from './worker.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/**
 * Options of the worker thread that renders READMEs. The memory limit ends the thread before a README uses all memory
 * of the machine.
 */
const OPTIONS = { name: 'readme', resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 } };

/**
 * Worker thread that renders READMEs one after another. The thread is terminated if a README exceeds the time or memory
 * limit.
 */
export class ReadmeThread implements AsyncDisposable {
  readonly #deadlineMs: number;
  #worker: Worker | null = null;

  /**
   * Creates a renderer whose worker thread starts with the first call of `render`.
   * @param deadlineMs maximum time for one README, in milliseconds
   */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Returns the HTML of a README. Returns `null` if the README exceeds a limit or cannot be rendered. Wait for the
   * returned promise before the next call.
   */
  async render(request: ToReadme): Promise<string | null> {
    const worker = this.#worker ?? (await this.#start());
    if (!worker) return null;
    worker.ref();
    const answered = answerOf(worker);
    worker.postMessage(request);
    const timer = setTimeout(() => void this[Symbol.asyncDispose](), this.#deadlineMs);
    const answer = await answered;
    clearTimeout(timer);
    // An idle worker thread must not keep the process alive.
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

/** Returns the next message of the worker thread. Returns `null` if the thread exits without another message. */
function answerOf(worker: Worker): Promise<FromReadme | null> {
  const { promise, resolve } = Promise.withResolvers<FromReadme | null>();
  const onError = () => resolve(null);
  worker.once('message', resolve).once('error', onError).once('exit', onError);
  return promise.finally(() => {
    worker.off('message', resolve).off('exit', onError).off('error', onError);
    // Without this listener, an `error` event of an idle worker thread would end the process.
    if (worker.listenerCount('error') === 0) worker.on('error', () => undefined);
  });
}
