/**
 * Environment of a command: working directory, standard input, network access and abort signal. Tests can replace each
 * part.
 */
export interface CommandIo {
  /** Working directory. Relative paths refer to this directory. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array | string>;
  fetch: typeof globalThis.fetch;
  /** Signal that is aborted when the user cancels the command. */
  signal: AbortSignal;
}

/** Error for a file or URL that cannot be read. The error message is one sentence for the user. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/**
 * Reads a stream up to a maximum number of bytes. If the result has more bytes than the maximum, the stream was too
 * long.
 */
export async function atMost(stream: AsyncIterable<Uint8Array | string>, bytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    const part = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    pieces.push(part);
    length += part.length;
    if (length > bytes) break;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole.subarray(0, bytes + 1);
}
