/** What the commands need of the world around them: tests and other programs bring their own. */
export interface CommandIo {
  /** The folder that paths are read from. */
  cwd: string;
  stdin: AsyncIterable<Uint8Array | string>;
  fetch: typeof globalThis.fetch;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

/** What was named cannot be read. The message is one sentence for who named it. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** Collects a stream up to a number of bytes; of what is longer, one byte more than that is kept. */
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
