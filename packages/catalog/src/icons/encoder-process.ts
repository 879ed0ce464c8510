import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CleanPng } from './clean-png.ts';
import type { EncodeAnswer, EncodeRequest } from './messages.ts';

const START_MS = 30_000;
/** Maximum time in milliseconds for encoding one icon. Encoding usually takes about 1 % of this time. */
const ANSWER_MS = 10_000;
/** Maximum resident memory in bytes of the process that encodes icons. An idle process uses about 80 MiB. */
export const MEMORY_LIMIT = 256 * 1024 * 1024;
const LOOK_EVERY_MS = 50;
const PAGE_BYTES = 4096;

/** Error: the child process that encodes icons exited or was killed before it had encoded an icon. */
export class EncoderDied extends Error {
  override name = 'EncoderDied';
}

/** Child process that decodes and encodes icons. */
export class EncoderProcess implements Disposable {
  readonly #child: ChildProcess;
  readonly #ready: Promise<EncodeAnswer>;
  #answered: PromiseWithResolvers<EncodeAnswer> | null = null;
  #end: string | null = null;
  encoded = 0;

  constructor(entry = join(import.meta.dirname, 'child.ts')) {
    this.#child = fork(entry, {
      // The process inherits no environment variables, because they may contain credentials such as the GitHub token.
      env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
      execArgv: ['--max-old-space-size=64'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('error', (error) => this.#ended(error.message));
    this.#child.on('exit', (code, signal) => this.#ended(`the process ended with ${signal ?? code}`));
    this.#child.on('message', (message) => this.#take(message as EncodeAnswer));
    this.#ready = this.#next(START_MS);
    // Prevents an unhandled rejection. If the child process does not start, `start` and `encode` throw this error.
    this.#ready.catch(() => undefined);
  }

  get usable(): boolean {
    return this.#end === null;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Waits until the child process that encodes icons is ready.
   * @throws Error if the child process cannot be started
   */
  async start(): Promise<void> {
    await this.#ready;
  }

  /**
   * Encodes one icon. Wait for the returned promise before the next call, because only one icon can be encoded at a
   * time.
   * @throws EncoderDied
   */
  async encode(icon: CleanPng): Promise<EncodeAnswer> {
    const request: EncodeRequest = { icon };
    const answer = this.#next(ANSWER_MS);
    const watch = setInterval(() => void this.#watch(), LOOK_EVERY_MS);
    try {
      // If the message cannot be sent, the `exit` event of the child process reports the failure.
      if (this.usable) this.#child.send(request, () => undefined);
      this.encoded += 1;
      return await answer;
    } finally {
      clearInterval(watch);
    }
  }

  [Symbol.dispose](): void {
    this.#stop('the process was stopped');
  }

  async #next(withinMs: number): Promise<EncodeAnswer> {
    const answered = Promise.withResolvers<EncodeAnswer>();
    if (this.#end !== null) answered.reject(new EncoderDied(this.#end));
    this.#answered = answered;
    const timer = setTimeout(() => this.#stop('the process took too long'), withinMs);
    this.#hold(true);
    try {
      return await answered.promise;
    } finally {
      clearTimeout(timer);
      this.#answered = null;
      this.#hold(false);
    }
  }

  #take(answer: EncodeAnswer): void {
    this.#answered?.resolve(answer);
  }

  async #watch(): Promise<void> {
    try {
      const [, resident] = (await readFile(`/proc/${this.pid}/statm`, 'utf8')).split(' ');
      if (Number(resident) * PAGE_BYTES > MEMORY_LIMIT) this.#stop('the process used too much memory');
    } catch {
      /*
       * On systems without `/proc`, the memory use of the child process is not checked. The child process still has a
       * time limit and a heap limit.
       */
    }
  }

  #stop(reason: string): void {
    this.#ended(reason);
    this.#child.kill('SIGKILL');
  }

  #ended(reason: string): void {
    this.#end ??= reason;
    this.#answered?.reject(new EncoderDied(this.#end));
  }

  /**
   * Sets whether this process waits for its child process before it exits. This is necessary only while the child
   * process starts or encodes an icon.
   */
  #hold(hold: boolean): void {
    if (hold) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }
}
