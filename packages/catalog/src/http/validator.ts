import { Worker } from 'node:worker_threads';
import { CatalogError } from '@davit/api/catalog/errors.ts';

/** Checks files of strangers. */
export interface Validator extends AsyncDisposable {
  /** @returns the JSON text of the answer. @throws CatalogError unavailable */
  check(bytes: Uint8Array): Promise<string>;
}

/** What the thread is told and what it tells. */
export interface CheckAsked {
  id: number;
  bytes: Uint8Array;
}
export interface CheckDone {
  id: number;
  body: string;
}

interface Waiting {
  resolve(body: string): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

/** No file takes a tenth of a second: a thread that has not answered by then will not. */
const DEADLINE_MS = 5_000;
/** Who comes when so many wait is asked to come again. */
const MOST_WAITING = 64;
const RETRY_S = 1;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * A thread of its own, with bounded memory: whatever a file does to it, listings are answered meanwhile. It is started
 * by the first file, and again by the next when it ended.
 */
export class ThreadValidator implements Validator {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #last = 0;

  check(bytes: Uint8Array): Promise<string> {
    if (this.#waiting.size >= MOST_WAITING) {
      const message = 'Many files are being checked right now: try again shortly.';
      return Promise.reject(new CatalogError('unavailable', message, { retryAfterS: RETRY_S }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const id = ++this.#last;
    const deadline = setTimeout(() => void this.#end(new Error('a file took too long to check')), DEADLINE_MS);
    this.#waiting.set(id, { resolve, reject, deadline });
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, bytes } satisfies CheckAsked);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(new Error('the catalog is being stopped'));
  }

  #start(): Worker {
    const worker = new Worker(new URL('validator-thread.ts', import.meta.url), { resourceLimits: LIMITS });
    worker.on('message', ({ id, body }: CheckDone) => this.#take(id)?.resolve(body));
    worker.on('error', (error) => void this.#end(error, worker));
    worker.on('exit', () => void this.#end(new Error('the thread that checks files ended'), worker));
    // It keeps no process alive that has nothing else to do; last, since whoever listens holds on to it again.
    worker.unref();
    return worker;
  }

  /** Ends the thread. What waits for it has no answer. */
  async #end(cause: unknown, worker: Worker | null = this.#worker): Promise<void> {
    // Another one works already.
    if (worker === null || worker !== this.#worker) return;
    this.#worker = null;
    for (const id of [...this.#waiting.keys()])
      this.#take(id)?.reject(new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S }));
    await worker.terminate();
  }

  #take(id: number): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(found?.deadline);
    return found;
  }
}
