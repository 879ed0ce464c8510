/** Programs inside running instances: how databases are backed up, restored and asked. */

export interface Program {
  /** The program and its arguments, which everybody in the container can see. */
  command: string[];
  /**
   * Added to the container's own. The processes of the same user can see it, and no other; what is secret is better given
   * through `stdin` or a file.
   */
  env?: Record<string, string>;
  /** A name or number of the container's, for example `postgres`; the image's own unless given. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * What the program reads; its end is told to the program. When it throws, the program is ended and `exited` rejects
   * with what was thrown: a program must not take half of its input for all of it. Its pieces are the engine's from then on.
   */
  stdin?: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** A program that was started. */
export interface Execution {
  /**
   * What it writes, to be read once. A program that writes much waits until it is read; whoever leaves early ends the
   * program. It throws what `exited` rejects with.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program has ended and what it wrote was taken. Rejects with the signal's reason, with what `stdin`
   * threw, or with EngineUnavailable when the connection broke, in which case nothing is known of the program.
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** The last {@link STDERR_TAIL_BYTES} of it. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** The last of what a program complains about, however much that is. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // A copy, so that what is left out is not kept behind it.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
