import { Worker } from 'node:worker_threads';
import { CatalogError } from '@davit/api/catalog/errors.ts';

/** Checks untrusted template files. */
export interface Validator extends AsyncDisposable {
  /**
   * Checks a template file.
   * @returns JSON text with `valid`, `problems` and `manifest`
   * @throws CatalogError unavailable
   */
  check(bytes: Uint8Array): Promise<string>;
}

/** Message to the worker thread that checks template files. The thread replies with `CheckDone`. */
export interface CheckRequest {
  id: number;
  bytes: Uint8Array;
}
export interface CheckDone {
  id: number;
  body: string;
}

interface Waiting {
  bytes: Uint8Array;
  resolve(body: string): void;
  reject(error: Error): void;
}

export interface ThreadOptions {
  /** Maximum time in milliseconds for the check of one template file. */
  deadlineMs?: number;
  script?: URL;
}

/**
 * Maximum time of one template check, in milliseconds. A check usually takes less than 100 ms. If a check takes longer
 * than the maximum, the worker thread is considered hung.
 */
const DEADLINE_MS = 5_000;
/**
 * Maximum number of template files that wait for a check. If the limit is reached, the server refuses further requests
 * with a `Retry-After` header.
 */
const MOST_WAITING = 64;
const RETRY_S = 1;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * Checks template files in a worker thread with limited memory. Therefore, a malicious file cannot block the HTTP
 * server.
 */
export class ThreadValidator implements Validator {
  readonly #deadlineMs: number;
  readonly #script: URL;
  /**
   * Template files that wait for a check, in order of arrival. The worker thread is already checking the first file.
   */
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #last = 0;

  constructor({
    deadlineMs = DEADLINE_MS,
    script = new URL('validator-thread.ts', import.meta.url),
  }: ThreadOptions = {}) {
    this.#deadlineMs = deadlineMs;
    this.#script = script;
  }

  check(bytes: Uint8Array): Promise<string> {
    if (this.#waiting.size >= MOST_WAITING) {
      const message = 'The catalog is checking too many files at the moment. Try again later.';
      return Promise.reject(new CatalogError('unavailable', message, { retryAfterS: RETRY_S }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const id = ++this.#last;
    this.#waiting.set(id, { bytes, resolve, reject });
    if (this.#waiting.size === 1) this.#expectAnswer();
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, bytes } satisfies CheckRequest);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    const cause = new Error('the catalog is stopping');
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(unanswered(cause));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: LIMITS });
    worker.on('message', ({ id, body }: CheckDone) => this.#take(id)?.resolve(body));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('the thread for checks ended')));
    /*
     * `unref` lets the process exit while the worker thread is idle. Adding a listener undoes `unref`, so `unref` must
     * come last.
     */
    worker.unref();
    return worker;
  }

  /**
   * Terminates a worker thread that hangs or has crashed. The check of its current template file fails. A new thread
   * checks the waiting files.
   */
  #lose(worker: Worker | null, cause: unknown): void {
    // If a new worker thread has already replaced `worker`, nothing needs to be done.
    if (worker === null || worker !== this.#worker) return;
    this.#worker = null;
    void worker.terminate();
    const [first] = this.#waiting.keys();
    if (first !== undefined) this.#take(first)?.reject(unanswered(cause));
    if (this.#waiting.size === 0) return;
    const next = this.#start();
    this.#worker = next;
    for (const [id, { bytes }] of this.#waiting) next.postMessage({ id, bytes } satisfies CheckRequest);
  }

  #take(id: number): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#expectAnswer();
    return found;
  }

  /**
   * Starts the timeout for the next template file. The worker thread checks one file at a time, so the timeout starts
   * only after the previous check.
   */
  #expectAnswer(): void {
    clearTimeout(this.#deadline);
    if (this.#waiting.size === 0) return;
    const late = () => this.#lose(this.#worker, new Error('the check of a file took too long'));
    this.#deadline = setTimeout(late, this.#deadlineMs);
  }
}

function unanswered(cause: unknown): CatalogError {
  return new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S });
}
