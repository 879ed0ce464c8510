/** Program to run inside a running container, for example to back up, restore or query a database. */

export interface Program {
  /** Path of the program and its arguments. All processes in the container can read the arguments. */
  command: string[];
  /**
   * Environment variables of the program in addition to those of the container. Processes of the same user can read the
   * variables, so pass secrets through `stdin` or a file.
   */
  env?: Record<string, string>;
  /** Name or number of a Unix user in the container, for example `postgres`. Default: the user of the image. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * Input of the program. After the last chunk, stdin is closed. If reading the input fails, the program is killed
   * while stdin is open, so that it does not treat incomplete input as complete. `exited` then rejects with the same
   * error. Do not use a chunk after yielding it, because its memory is freed.
   */
  stdin?: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** A running or ended program that `execute` started inside a container. */
export interface Execution {
  /**
   * Output of the program, which can be read only once. The program pauses until its output is read. If the caller
   * stops reading early, the program is ended. If the promise `exited` rejects, reading throws the same error.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program has ended and its output was read. Rejects with the signal's abort reason, with the error
   * that `stdin` threw, or with EngineUnavailable if the connection broke. After a broken connection, the program may
   * still run.
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** Last 16 KiB of the program's stderr. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** Collects the last 16 KiB of a program's stderr. Older bytes are dropped to limit memory use. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // `Buffer.from` makes a copy, because a slice would keep the memory of the whole concatenated buffer.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
