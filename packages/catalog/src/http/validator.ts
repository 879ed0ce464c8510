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
  bytes: Uint8Array;
  resolve(body: string): void;
  reject(error: Error): void;
}

export interface ThreadOptions {
  /** How long one file may take. */
  deadlineMs?: number;
  /** What runs in the thread. */
  script?: URL;
}

/** No file takes a tenth of a second: a thread that has not answered by then will not. */
const DEADLINE_MS = 5_000;
/** Who comes when so many wait is asked to come again. */
const MOST_WAITING = 64;
const RETRY_S = 1;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/**
 * A thread of its own, with bounded memory: whatever a file does to it, listings are answered meanwhile, and the files that
 * wait behind it are checked by another thread. It is started by the first file, and again by the next when it ended.
 */
export class ThreadValidator implements Validator {
  readonly #deadlineMs: number;
  readonly #script: URL;
  /** In the order in which they came: the first is the one at work. */
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
      const message = 'Many files are being checked right now: try again shortly.';
      return Promise.reject(new CatalogError('unavailable', message, { retryAfterS: RETRY_S }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const id = ++this.#last;
    this.#waiting.set(id, { bytes, resolve, reject });
    if (this.#waiting.size === 1) this.#expectAnswer();
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, bytes } satisfies CheckAsked);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    const cause = new Error('the catalog is being stopped');
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(unanswered(cause));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: LIMITS });
    worker.on('message', ({ id, body }: CheckDone) => this.#take(id)?.resolve(body));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('the thread that checks files ended')));
    // It keeps no process alive that has nothing else to do; last, since whoever listens holds on to it again.
    worker.unref();
    return worker;
  }

  /** Ends a thread that is of no use any more: the file that it was at has no answer, the others get another thread. */
  #lose(worker: Worker | null, cause: unknown): void {
    // Another one works already.
    if (worker === null || worker !== this.#worker) return;
    this.#worker = null;
    void worker.terminate();
    const [first] = this.#waiting.keys();
    if (first !== undefined) this.#take(first)?.reject(unanswered(cause));
    if (this.#waiting.size === 0) return;
    const next = this.#start();
    this.#worker = next;
    for (const [id, { bytes }] of this.#waiting) next.postMessage({ id, bytes } satisfies CheckAsked);
  }

  #take(id: number): Waiting | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#expectAnswer();
    return found;
  }

  /** Each file has its own time, from when the one before it is done. */
  #expectAnswer(): void {
    clearTimeout(this.#deadline);
    if (this.#waiting.size === 0) return;
    const late = () => this.#lose(this.#worker, new Error('a file took too long to check'));
    this.#deadline = setTimeout(late, this.#deadlineMs);
  }
}

function unanswered(cause: unknown): CatalogError {
  return new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S });
}
