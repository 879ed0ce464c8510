import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { Terminal } from '../../adapters/engine/terminal.ts';
import { Interrupted } from '../../workflow/interrupted.ts';

/** In milliseconds. */
export interface ShellLimits {
  /** A peer that answers no ping for so long is gone; connections that are quiet are kept open by them. */
  pingMs: number;
  /** How long a peer has to answer the close. */
  closeMs: number;
}

const LIMITS: ShellLimits = { pingMs: 30_000, closeMs: 1_000 };

const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const NOT_ALLOWED = 1_008;
const FAILED = 1_011;

/** The most columns or rows of a terminal. */
export const MOST_SIDE = 1_000;
const Side = z.int().min(1).max(MOST_SIDE);
const Control = z.strictObject({ resize: z.strictObject({ columns: Side, rows: Side }) });

export interface ShellParts {
  terminal: Terminal;
  mayGoOn: () => boolean;
  /** Aborts when the client has gone or the instance stops. */
  signal: AbortSignal;
}

/** One shell: a WebSocket and a terminal that talk to each other, each as fast as the other takes it. */
export class ShellSocket {
  readonly #socket: WebSocket;
  readonly #parts: ShellParts;
  readonly #limits: ShellLimits;
  #why = 'the client left';
  #pingedAt = performance.now();
  #isAnswered = true;
  /** What the client sent, one message after the other. */
  #taking: Promise<void> = Promise.resolve();
  /** How many of them are not taken yet. */
  #waiting = 0;

  constructor(socket: WebSocket, parts: ShellParts, limits: ShellLimits = LIMITS) {
    this.#socket = socket;
    this.#parts = parts;
    this.#limits = limits;
  }

  /** @returns why it ended, when the connection is closed and the program has ended */
  async run(): Promise<string> {
    const socket = this.#socket;
    const { terminal, signal } = this.#parts;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const onAbort = () => this.#stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('pong', () => {
      this.#isAnswered = true;
    });
    // What is wrong with a message or the connection is told by the close that follows.
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    // The program has nobody to talk to any more, which also ends what it writes.
    const over = closed.then(() => terminal[Symbol.asyncDispose]());
    over.catch(() => undefined);
    if (signal.aborted) onAbort();
    await this.#tell().catch(() => this.#close(FAILED, 'The terminal broke off.'));
    await closed;
    signal.removeEventListener('abort', onAbort);
    await over;
    return this.#why;
  }

  /** Does what is due by the clock. */
  tick(): void {
    if (!this.#parts.mayGoOn()) {
      this.#close(NOT_ALLOWED, 'What you are signed in with does not allow this any more.');
      return;
    }
    const now = performance.now();
    if (now - this.#pingedAt < this.#limits.pingMs) return;
    // While the program does not take what was sent, nothing is read, and no answer either.
    if (!this.#isAnswered && this.#waiting === 0) {
      this.#why = 'the client did not answer';
      this.#socket.terminate();
      return;
    }
    this.#isAnswered = false;
    this.#pingedAt = now;
    this.#socket.ping();
  }

  /** Sends what the program writes, and nothing more is read of it before that has left; then how it ended. */
  async #tell(): Promise<void> {
    const { terminal } = this.#parts;
    for await (const bytes of terminal.output) if (!(await this.#send(bytes))) return;
    const exit = await terminal.exited;
    await this.#send(JSON.stringify({ exit }));
    this.#close(NORMAL, 'The program has ended.');
  }

  /** @returns false when nobody is there any more */
  #send(data: Buffer | string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#socket.send(data, { binary: typeof data !== 'string' }, (error) => resolve(!error));
    return promise;
  }

  #take(data: RawData, isBinary: boolean): void {
    // Nothing more is read from the connection until the program has taken what there is.
    this.#socket.pause();
    this.#waiting += 1;
    this.#taking = this.#taking
      .then(() => (isBinary ? this.#parts.terminal.write(bytesOf(data)) : this.#control(bytesOf(data).toString())))
      .catch(() => this.#close(FAILED, 'The terminal does not take what you send.'))
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#socket.resume();
      });
  }

  async #control(text: string): Promise<void> {
    const control = Control.safeParse(parsed(text));
    if (control.success) await this.#parts.terminal.resize(control.data.resize);
    else this.#close(NOT_ALLOWED, 'Text must be {"resize":{"columns":80,"rows":24}}: send bytes as binary.');
  }

  #stop(reason: unknown): void {
    if (reason instanceof Interrupted) this.#close(GOING_AWAY, 'The instance is stopping: connect again in a moment.');
    else this.#socket.terminate();
  }

  #close(code: number, why: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#why = why;
    this.#socket.close(code, why);
    // A peer that does not answer must not hold anything up.
    setTimeout(() => this.#socket.terminate(), this.#limits.closeMs).unref();
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** Null for what is no JSON, which no schema takes. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
