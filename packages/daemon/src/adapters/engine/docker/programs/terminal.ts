import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from '../../execution.ts';
import type { Terminal, TerminalSize } from '../../terminal.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { inspectExec, programFields, startExec } from './exec-calls.ts';
import { sessionOf, signalAll } from './session.ts';

/**
 * Value of the environment variable `TERM`. Programs use this terminal type to detect features such as colors. All
 * Davit clients emulate this terminal type.
 */
const TERM = 'xterm-256color';

const LOOK_AGAIN_MS = 10;

/**
 * Time in milliseconds for the programs of a terminal to exit after SIGHUP. After this time, the programs are killed.
 */
const HANG_UP_MS = 200;

/**
 * Maximum number of times that all processes of a terminal get a signal. One time is not enough, because a process may
 * start another process before it dies.
 */
const ENDING_PASSES = 10;

export async function openTerminal(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  program: Program,
  size: TerminalSize,
  signal: AbortSignal,
): Promise<Terminal> {
  const doing = 'open terminal';
  await instances.facts(id, doing, signal);
  const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true };
  const fields = programFields({ ...program, env: { TERM, ...program.env } });
  const order = { doing, container: id, body: { ...streams, ...fields }, wordsOf: text };
  const { id: exec, pid, connection } = await startExec(context.client, order, signal);
  const terminal = new DockerTerminal(context, { container: id, exec, pid }, connection);
  const end = () => terminal[Symbol.asyncDispose]();
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => void end().catch((error) => context.log.warn({ error }, END_FAILED)), {
      once: true,
    });
    await terminal.resize(size);
    return terminal;
  } catch (error) {
    await end();
    throw error;
  }
}

const END_FAILED = 'program of a terminal session could not be stopped';

interface StartedProgram {
  container: string;
  exec: string;
  pid: number;
}

class DockerTerminal implements Terminal {
  readonly output: AsyncIterable<Buffer>;
  readonly exited: Promise<number | null>;
  readonly #context: DockerContext;
  readonly #program: StartedProgram;
  readonly #connection: Duplex;
  #ending: Promise<void> | null = null;

  constructor(context: DockerContext, program: StartedProgram, connection: Duplex) {
    this.#context = context;
    this.#program = program;
    this.#connection = connection;
    this.output = untilClosed(connection);
    this.exited = new Promise<void>((resolve) => connection.once('close', resolve)).then(() => this.#exitCode());
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#connection.writable) return;
    // Ignores write errors. The terminal closes anyway if the program has exited or Docker is unavailable.
    this.#connection.write(bytes, () => resolve());
    await promise;
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    const path = `/exec/${this.#program.exec}/resize`;
    const call = { doing: 'resize terminal', method: 'POST', path, query: { w: columns, h: rows } } as const;
    try {
      await this.#context.client.call(call);
    } catch (error) {
      // Docker responds with status 404, 409 or 500 if the program in the terminal has already exited.
      if (!isStatus(error, 404, 409, 500)) throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { pid, container } = this.#program;
    try {
      for (let pass = 0; pass < ENDING_PASSES; pass++) {
        const processes = await sessionOf(pid, container);
        if (processes.length === 0) break;
        await signalAll(this.#context, container, processes, pass === 0 ? 'SIGHUP' : 'SIGKILL');
        await delay(pass === 0 ? HANG_UP_MS : LOOK_AGAIN_MS);
      }
    } finally {
      this.#connection.destroy();
    }
  }

  /**
   * Returns the exit code of the terminal's program. Returns `null` if the container was removed or the connection
   * broke before the program exited.
   */
  async #exitCode(): Promise<number | null> {
    for (let look = 0; look < ENDING_PASSES; look++) {
      // Ignores Docker errors, because a user who closes a terminal expects no error.
      const state = await inspectExec(this.#context.client, this.#program.exec, 'inspect terminal').catch(() => null);
      if (state === null || state.ExitCode !== null) return state?.ExitCode ?? null;
      await delay(LOOK_AGAIN_MS);
    }
    return null;
  }
}

/**
 * Yields the output of a terminal. If the connection breaks, the output ends without an error, as if the program had
 * exited.
 */
async function* untilClosed(connection: Duplex): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of connection) yield chunk as Buffer;
  } catch {
    // Ignores the error, because the promise `exited` already reports why the connection ended.
  }
}
