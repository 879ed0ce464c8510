import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { ShellProgram } from '../../resources/shells/program.ts';
import { Interrupted } from '../../workflow/interrupted.ts';

/** Time limits of a shell connection in milliseconds. */
export interface ShellLimits {
  /**
   * Interval of WebSocket pings. If the client does not respond before the next ping, the connection is closed. Pings
   * also prevent proxies from closing idle connections.
   */
  pingMs: number;
  /** Maximum time to wait until the client confirms that the WebSocket is closed. */
  closeMs: number;
}

const LIMITS: ShellLimits = { pingMs: 30_000, closeMs: 1_000 };

const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const NOT_ALLOWED = 1_008;
const FAILED = 1_011;

/** Maximum number of columns and rows of a terminal. */
export const MOST_SIDE = 1_000;
const Side = z.int().min(1).max(MOST_SIDE);
const Control = z.union([
  z.strictObject({ resize: z.strictObject({ columns: Side, rows: Side }) }),
  z.strictObject({ end: z.literal(true) }),
]);

const NO_RESIZE = 'A text message must be {"resize":{"columns":80,"rows":24}}. Send input as binary messages.';
const NO_END = 'A text message must be {"end":true}, which ends the input. Send input as binary messages.';

/** Kind of a WebSocket connection. Error messages for users contain this noun. */
export type ShellNoun = 'shell' | 'tunnel';

interface CloseReasons {
  ended: string;
  lost: string;
  unsent: string;
  forbidden: string;
}

/** Reasons for the server to close a WebSocket. A WebSocket close reason can have at most 123 bytes. */
const REASONS: Record<ShellNoun, CloseReasons> = {
  shell: {
    ended: 'The program has ended.',
    lost: 'The connection to the terminal was lost.',
    unsent: 'Davit could not send data to the terminal. Connect again.',
    forbidden: 'Your session or API key no longer allows access to this terminal.',
  },
  tunnel: {
    ended: 'The connection has ended.',
    lost: 'The connection to the container was lost.',
    unsent: 'Davit could not send data to the container. Connect again.',
    forbidden: 'Your session or API key no longer allows access to this tunnel.',
  },
};

export interface ShellParts {
  program: ShellProgram;
  noun: ShellNoun;
  mayGoOn: () => boolean;
  /** Signal that ends the shell. It aborts when the client disconnects or the daemon stops. */
  signal: AbortSignal;
}

/**
 * Connects a WebSocket with a program in a container. Davit reads data from one side only as fast as the other side
 * accepts the data.
 */
export class ShellSocket {
  readonly #socket: WebSocket;
  readonly #parts: ShellParts;
  readonly #limits: ShellLimits;
  readonly #reasons: CloseReasons;
  #why = 'the client left';
  #pingedAt = performance.now();
  #isAnswered = true;
  /** Resolves when all received WebSocket messages have been handled. Davit handles one message at a time. */
  #taking: Promise<void> = Promise.resolve();
  /** Number of WebSocket messages from the client that are not handled yet. */
  #waiting = 0;

  constructor(socket: WebSocket, parts: ShellParts, limits: ShellLimits = LIMITS) {
    this.#socket = socket;
    this.#parts = parts;
    this.#limits = limits;
    this.#reasons = REASONS[parts.noun];
  }

  /**
   * Runs the shell until the WebSocket is closed and the program has ended.
   * @returns the reason why the shell ended, for the log
   */
  async run(): Promise<string> {
    const socket = this.#socket;
    const { program, signal } = this.#parts;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const onAbort = () => this.#stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('pong', () => {
      this.#isAnswered = true;
    });
    // An `error` event needs no handling, because a `close` event follows it and ends the shell.
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    /*
     * When the WebSocket closes, Davit stops the shell program. The loop that reads the output of the program then also
     * stops.
     */
    const over = closed.then(() => program[Symbol.asyncDispose]());
    over.catch(() => undefined);
    if (signal.aborted) onAbort();
    await this.#tell().catch(() => this.#close(FAILED, this.#reasons.lost));
    await closed;
    signal.removeEventListener('abort', onAbort);
    await over;
    return this.#why;
  }

  /** Checks the caller's permissions, and checks whether the client still responds to pings. Called every second. */
  tick(): void {
    if (!this.#parts.mayGoOn()) {
      this.#close(NOT_ALLOWED, this.#reasons.forbidden);
      return;
    }
    const now = performance.now();
    if (now - this.#pingedAt < this.#limits.pingMs) return;
    // A missing ping response is ignored while the program accepts no input, because Davit then reads no responses.
    if (!this.#isAnswered && this.#waiting === 0) {
      this.#why = 'the client did not respond';
      this.#socket.terminate();
      return;
    }
    this.#isAnswered = false;
    this.#pingedAt = now;
    this.#socket.ping();
  }

  /** Sends the output of the program to the client, one chunk at a time. At the end, sends the exit code. */
  async #tell(): Promise<void> {
    const { program } = this.#parts;
    for await (const piece of program.output) {
      if (!(await this.#send(Buffer.isBuffer(piece) ? piece : JSON.stringify(piece)))) return;
    }
    const exit = await program.exited;
    await this.#send(JSON.stringify({ exit }));
    this.#close(NORMAL, this.#reasons.ended);
  }

  /** Sends a message to the client. @returns `false` if the client has disconnected */
  #send(data: Buffer | string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#socket.send(data, { binary: typeof data !== 'string' }, (error) => resolve(!error));
    return promise;
  }

  #take(data: RawData, isBinary: boolean): void {
    // Davit reads no further WebSocket messages until the program in the terminal has accepted this input.
    this.#socket.pause();
    this.#waiting += 1;
    this.#taking = this.#taking
      .then(() => (isBinary ? this.#parts.program.write(bytesOf(data)) : this.#control(bytesOf(data).toString())))
      .catch(() => this.#close(FAILED, this.#reasons.unsent))
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#socket.resume();
      });
  }

  async #control(text: string): Promise<void> {
    const { program } = this.#parts;
    const { data: control } = Control.safeParse(parsed(text));
    if (control !== undefined && 'resize' in control) await program.resize(control.resize);
    else if (control !== undefined && program.endInput !== undefined) program.endInput();
    else this.#close(NOT_ALLOWED, program.endInput === undefined ? NO_RESIZE : NO_END);
  }

  #stop(reason: unknown): void {
    if (reason instanceof Interrupted)
      this.#close(GOING_AWAY, 'The instance is stopping. Connect again after its next start.');
    else this.#socket.terminate();
  }

  #close(code: number, why: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#why = why;
    this.#socket.close(code, why);
    // If the client does not confirm in time that the WebSocket is closed, Davit terminates the connection.
    setTimeout(() => this.#socket.terminate(), this.#limits.closeMs).unref();
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/**
 * Parses JSON. Returns `null` for invalid JSON. The schema of the caller does not accept `null` and reports an error.
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
