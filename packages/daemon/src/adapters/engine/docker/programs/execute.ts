/**
 * Programs inside running instances. Both ways are one connection: what a program writes is taken from it frame by frame,
 * only as fast as it is read; what it reads is written to it as fast as the engine takes it, and ends by a half close.
 */
import { type Duplex, Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { EngineUnavailable } from '../../errors.ts';
import type { Execution, ExecutionEnd, ExecutionInput, Program } from '../../execution.ts';
import { StderrTail } from '../../execution.ts';
import { freeBuffer } from '../../free-buffer.ts';
import { decodeFrames } from '../client/frames.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { type Exec, exitOf, startExec } from './exec-calls.ts';
import { endSession } from './session.ts';

/** What is read ahead of whoever takes it. */
const READ_AHEAD_BYTES = 64 * 1024;

/** Starts a program inside a running instance. */
export async function execute(
  context: DockerContext,
  instances: DockerInstances,
  container: string,
  program: Program,
  { stdin, signal }: ExecutionInput,
): Promise<Execution> {
  const [name = ''] = program.command;
  const doing = `run ${name}`;
  await instances.facts(container, doing, signal);
  const { command, env = {}, user } = program;
  const body = {
    ...{ AttachStdin: stdin !== undefined, AttachStdout: true, AttachStderr: true, Tty: false, Cmd: command },
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    ...(user === undefined ? {} : { User: user }),
  };
  const exec = await startExec(context.client, { doing, container, body, wordsOf }, signal);
  return new DockerExecution({ context, container, doing, signal }, exec, stdin);
}

/** What the engine says of a program that it could not start comes as if the program had said it. */
async function wordsOf(connection: Duplex): Promise<string> {
  let words = '';
  for await (const { payload } of decodeFrames(connection)) words += payload;
  return words;
}

interface Place {
  context: DockerContext;
  container: string;
  doing: string;
  signal: AbortSignal;
}

class DockerExecution implements Execution {
  readonly stdout: Readable;
  readonly exited: Promise<ExecutionEnd>;
  readonly #place: Place;
  readonly #exec: Exec;
  readonly #stderr = new StderrTail();
  readonly #onAbort = () => this.#fail(this.#place.signal.reason);
  /** Why it was ended from here: what everybody is told, however it then ended. */
  #failure: { reason: unknown } | null = null;
  #ending: Promise<void> | null = null;
  #isOver = false;
  #roomMade: () => void = () => undefined;

  constructor(place: Place, exec: Exec, stdin: AsyncIterable<Uint8Array> | undefined) {
    this.#place = place;
    this.#exec = exec;
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
    // Whoever only reads the output is told there.
    this.exited.catch(() => undefined);
    if (stdin !== undefined) void this.#feed(stdin);
    if (place.signal.aborted) this.#onAbort();
    else place.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  async #run(): Promise<ExecutionEnd> {
    try {
      const broke = await this.#read();
      await this.#ending;
      if (this.#failure !== null) throw this.#failure.reason;
      const exitCode = await exitOf(this.#place, this.#exec.id);
      // A program that does not take all of its input breaks the connection by its end, and has said what it had to say.
      if (broke !== null && exitCode === 0 && this.#ending === null) throw broke;
      this.#isOver = true;
      this.stdout.push(null);
      return { exitCode, stderrTail: this.#stderr.toString() };
    } catch (error) {
      this.#isOver = true;
      this.stdout.destroy(error as Error);
      throw error;
    } finally {
      this.#place.signal.removeEventListener('abort', this.#onAbort);
      this.#exec.connection.destroy();
    }
  }

  /** Reads all that it writes. @returns why that was cut off; null when it was not */
  async #read(): Promise<EngineUnavailable | null> {
    try {
      for await (const { stream, payload } of decodeFrames(this.#exec.connection)) {
        if (stream === 'stderr') this.#stderr.push(payload);
        else if (!this.stdout.destroyed && !this.stdout.push(payload)) await this.#room();
      }
      return null;
    } catch (cause) {
      const message = `The connection to the engine broke (${this.#place.doing}): check that it runs.`;
      return new EngineUnavailable(message, { cause });
    }
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#roomMade = resolve;
    if (!this.stdout.destroyed) await promise;
  }

  async #feed(stdin: AsyncIterable<Uint8Array>): Promise<void> {
    const { connection } = this.#exec;
    const input = stdin[Symbol.asyncIterator]();
    let isLeft = false;
    // A program that has ended takes nothing more, also when nothing more comes.
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
        // What has arrived is read first: a write to a program that has ended takes what is not read along.
        await breathe();
        if (isLeft || !(await taken(connection, value))) return leave();
        // Nothing of it waits here any more.
        if (connection.writableLength === 0) freeBuffer(value);
      }
      isLeft = true;
      // Not when it is being ended: it must not take what it has for all there was.
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
    // Nobody may be reading what it wrote.
    void this.#ending.then(() => this.stdout.destroy(reason as Error));
  }

  /** Its connection is let go of last: a program takes the end of that for the end of its input. */
  async #endProgram(): Promise<void> {
    const { context, container, doing } = this.#place;
    const { pid, connection } = this.#exec;
    try {
      await endSession(context, container, pid);
    } catch (error) {
      context.log.warn({ error, doing }, 'a program inside an instance could not be ended');
    } finally {
      connection.destroy();
    }
  }
}

/** Resolves when there is room for more; false: nobody takes it any more. */
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
