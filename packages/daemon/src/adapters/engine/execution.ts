/** A program that runs inside an existing container, for example to back up, restore or query a database. */

export interface Program {
  /** Path of the program and its arguments. Other processes in the container can read the arguments. */
  command: string[];
  /**
   * Additional environment variables. Other processes of the same user can read environment variables. Pass secrets
   * through `stdin`, a file or a separate container user.
   */
  env?: Record<string, string>;
  /** Name or number of a Unix user in the container, for example `postgres`. Default: the user of the image. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * Input of the program. If reading the input fails, the program is killed and `exited` rejects. The caller must not
   * reuse a chunk, because the memory of each chunk is freed after use.
   */
  stdin?: AsyncIterable<Uint8Array>;
  /**
   * Callback that receives each chunk of the program's stderr. The program waits until the returned promise resolves.
   */
  onStderr?: (bytes: Buffer) => Promise<void> | undefined;
  signal: AbortSignal;
}

/** A program that `execute` started inside a container. */
export interface Execution {
  /**
   * Output of the program, which can be read once. If the reader is slow, the program waits. If the reader stops early,
   * the program is ended. Reading throws the same error as `exited`.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program has ended and its output was read. Rejects with the abort reason, the error of `stdin`,
   * or EngineUnavailable. After EngineUnavailable, the program may still run.
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** Last 16 KiB of the program's stderr. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** Collects the last 16 KiB of a program's stderr. Older bytes are dropped to save memory. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // `Buffer.from` copies the last bytes, because a slice would keep the whole concatenated buffer in memory.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
