import { Worker } from 'node:worker_threads';
import type { FromReadme, ToReadme } from './worker.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/** Node's own flags, of the debugger for one, are not for the thread; its memory ends before the machine's does. */
const OPTIONS = { name: 'readme', resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 } };

/** A thread that renders READMEs one after another, and is ended by what takes too long or too much memory. */
export class ReadmeThread implements AsyncDisposable {
  readonly #deadlineMs: number;
  #worker: Worker | null = null;

  /** @param deadlineMs how long one README may take, once the thread is there */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** HTML; null: it could not be rendered within the deadline. Only one at a time. */
  async render(request: ToReadme): Promise<string | null> {
    const worker = this.#worker ?? (await this.#start());
    if (!worker) return null;
    worker.ref();
    const answered = answerOf(worker);
    worker.postMessage(request);
    const timer = setTimeout(() => void this[Symbol.asyncDispose](), this.#deadlineMs);
    const answer = await answered;
    clearTimeout(timer);
    // Between two READMEs it keeps no process alive.
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

/** What a thread says next; null: it ended instead. */
function answerOf(worker: Worker): Promise<FromReadme | null> {
  const { promise, resolve } = Promise.withResolvers<FromReadme | null>();
  const onError = () => resolve(null);
  worker.once('message', resolve).once('error', onError).once('exit', onError);
  return promise.finally(() => {
    worker.off('message', resolve).off('exit', onError).off('error', onError);
    // A thread that is ended in between tells of it by an event that needs somebody who hears it.
    if (worker.listenerCount('error') === 0) worker.on('error', () => undefined);
  });
}
