/** Runs programs in running containers through one connection to Docker. If a reader is slow, the sender waits. */
import { type Duplex, Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { EngineUnavailable } from '../../errors.ts';
import type { Execution, ExecutionEnd, ExecutionInput, Program } from '../../execution.ts';
import { StderrTail } from '../../execution.ts';
import { freeBuffers } from '../../free-buffers.ts';
import { decodeFrames } from '../client/frames.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { type Exec, exitOf, programFields, startExec } from './exec-calls.ts';
import { endSession } from './session.ts';

/** Maximum number of output bytes that are buffered if the reader is slow. */
const READ_AHEAD_BYTES = 64 * 1024;

export async function execute(
  context: DockerContext,
  instances: DockerInstances,
  container: string,
  program: Program,
  input: ExecutionInput,
): Promise<Execution> {
  const [name = ''] = program.command;
  const doing = `run ${name}`;
  const { stdin, signal } = input;
  await instances.facts(container, doing, signal);
  const streams = { AttachStdin: stdin !== undefined, AttachStdout: true, AttachStderr: true, Tty: false };
  const body = { ...streams, ...programFields(program) };
  const exec = await startExec(context.client, { doing, container, body, wordsOf }, signal);
  return new DockerExecution({ context, container, doing, signal }, exec, input);
}

/**
 * Returns Docker's error text for a program that cannot be started. Docker sends the error text as output of the
 * program.
 */
async function wordsOf(connection: Duplex): Promise<string> {
  let words = '';
  for await (const { payload } of decodeFrames(connection)) words += payload;
  return words;
}

interface ExecTarget {
  context: DockerContext;
  container: string;
  doing: string;
  signal: AbortSignal;
}

class DockerExecution implements Execution {
  readonly stdout: Readable;
  readonly exited: Promise<ExecutionEnd>;
  readonly #target: ExecTarget;
  readonly #exec: Exec;
  readonly #stderr = new StderrTail();
  readonly #onStderr: ExecutionInput['onStderr'];
  readonly #onAbort = () => this.#fail(this.#target.signal.reason);
  /**
   * Error that made the daemon kill the program, or `null`. The caller receives this error even if the program's exit
   * code is 0.
   */
  #failure: { reason: unknown } | null = null;
  #ending: Promise<void> | null = null;
  #isOver = false;
  #roomMade: () => void = () => undefined;

  constructor(target: ExecTarget, exec: Exec, { stdin, onStderr }: ExecutionInput) {
    this.#target = target;
    this.#exec = exec;
    this.#onStderr = onStderr;
    this.stdout = new Readable({
      highWaterMark: READ_AHEAD_BYTES,
      read: () => this.#roomMade(),
      destroy: (error, done) => {
        this.#roomMade();
        if (!this.#isOver) this.#ending ??= this.#endProgram();
        done(error);
      },
    }).on('error', () => undefined);
    this.exited = this.#run();
    // Prevents an unhandled rejection of `exited`. Some callers handle only the error of `stdout`.
    this.exited.catch(() => undefined);
    if (stdin !== undefined) void this.#feed(stdin);
    if (target.signal.aborted) this.#onAbort();
    else target.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  async #run(): Promise<ExecutionEnd> {
    try {
      const broke = await this.#read();
      await this.#ending;
      if (this.#failure !== null) throw this.#failure.reason;
      const exitCode = await exitOf(this.#target, this.#exec.id);
      /*
       * If a program exits with unread input, Docker breaks the connection after the output. The broken connection is
       * an error only if the exit code is 0.
       */
      if (broke !== null && exitCode === 0 && this.#ending === null) throw broke;
      this.#isOver = true;
      this.stdout.push(null);
      return { exitCode, stderrTail: this.#stderr.toString() };
    } catch (error) {
      this.#isOver = true;
      this.stdout.destroy(error as Error);
      throw error;
    } finally {
      this.#target.signal.removeEventListener('abort', this.#onAbort);
      this.#exec.connection.destroy();
    }
  }

  /**
   * Reads the whole output of the program.
   * @returns error of the broken connection, or `null` if the output is complete
   */
  async #read(): Promise<EngineUnavailable | null> {
    try {
      for await (const { stream, payload } of decodeFrames(this.#exec.connection)) {
        if (stream === 'stderr') await this.#complaint(payload);
        else if (!this.stdout.destroyed && !this.stdout.push(payload)) await this.#room();
      }
      return null;
    } catch (cause) {
      const message = `The connection to Docker was lost (${this.#target.doing}). Check that Docker is running.`;
      return new EngineUnavailable(message, { cause });
    }
  }

  async #complaint(payload: Buffer): Promise<void> {
    this.#stderr.push(payload);
    await this.#onStderr?.(payload);
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#roomMade = resolve;
    if (!this.stdout.destroyed) await promise;
  }

  /**
   * Sends the input to the program. At the end of the input, only the sending direction of the connection is closed.
   */
  async #feed(stdin: AsyncIterable<Uint8Array>): Promise<void> {
    const { connection } = this.#exec;
    const input = stdin[Symbol.asyncIterator]();
    let isLeft = false;
    // Closes the input when the program exits. Otherwise, the daemon could wait for more input forever.
    const leave = () => {
      if (isLeft) return;
      isLeft = true;
      input.return?.().catch(() => undefined);
    };
    connection.once('close', leave);
    try {
      for (;;) {
        const { value, done } = await input.next();
        if (done) break;
        /*
         * Reads the received output before the next write. A write to an exited program fails and discards unread
         * output.
         */
        await breathe();
        if (isLeft || !(await taken(connection, value))) return leave();
        // Frees the memory of the input chunk, because the chunk was sent completely.
        if (connection.writableLength === 0) freeBuffers([value]);
      }
      isLeft = true;
      /*
       * While the program is being killed, stdin stays open. If stdin were closed, the program would treat incomplete
       * input as complete.
       */
      if (this.#ending === null) connection.end();
    } catch (error) {
      isLeft = true;
      this.#fail(error);
    }
  }

  #fail(reason: unknown): void {
    if (this.#isOver) return;
    this.#failure ??= { reason };
    this.#ending ??= this.#endProgram();
    // Ends `stdout` with the error that stopped the program, even if no caller reads `stdout`.
    void this.#ending.then(() => this.stdout.destroy(reason as Error));
  }

  /**
   * Kills the program before the connection is closed. If the connection were closed first, the program would treat
   * incomplete input as complete.
   */
  async #endProgram(): Promise<void> {
    const { context, container, doing } = this.#target;
    const { pid, connection } = this.#exec;
    try {
      await endSession(context, container, pid);
    } catch (error) {
      context.log.warn({ error, doing }, 'program in a container could not be stopped');
    } finally {
      connection.destroy();
    }
  }
}

/**
 * Writes bytes to a connection. Resolves with `true` when the connection can accept more bytes, or with `false` when
 * the connection is closed.
 */
async function taken(connection: Duplex, bytes: Uint8Array): Promise<boolean> {
  if (!connection.writable) return false;
  if (connection.write(bytes)) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const drained = () => resolve(true);
  const closed = () => resolve(false);
  connection.once('drain', drained).once('close', closed);
  const isTaken = await promise;
  connection.removeListener('drain', drained).removeListener('close', closed);
  return isTaken;
}
