import type { Readable } from 'node:stream';

const HEADER_BYTES = 8;

/**
 * One frame of a container's output stream from Docker. In a container log, a frame contains a log line or a part of a
 * log line.
 */
export interface Frame {
  stream: 'stdout' | 'stderr';
  payload: Buffer;
}

/**
 * Decodes Docker's multiplexed stream of stdout and stderr. If the stream ends inside a frame, the decoder yields the
 * incomplete frame.
 */
export async function* decodeFrames(stream: Readable): AsyncGenerator<Frame> {
  const buffer = new ByteQueue();
  let header: { stream: Frame['stream']; length: number } | null = null;
  for await (const chunk of stream) {
    buffer.push(chunk as Buffer);
    for (;;) {
      if (header === null) {
        if (buffer.length < HEADER_BYTES) break;
        const bytes = buffer.take(HEADER_BYTES);
        header = { stream: bytes.readUInt8(0) === 2 ? 'stderr' : 'stdout', length: bytes.readUInt32BE(4) };
      }
      if (buffer.length < header.length) break;
      yield { stream: header.stream, payload: buffer.take(header.length) };
      header = null;
    }
  }
  if (header !== null && buffer.length > 0) yield { stream: header.stream, payload: buffer.take(buffer.length) };
}

/** Queue for the bytes that Docker sends. A new chunk is added without copying earlier chunks. */
class ByteQueue {
  #chunks: Buffer[] = [];
  length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  take(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length < count) this.#chunks = [Buffer.concat(this.#chunks)];
    const head = this.#chunks[0] ?? Buffer.alloc(0);
    const taken = head.subarray(0, count);
    const rest = head.subarray(count);
    if (rest.length > 0) this.#chunks[0] = rest;
    else this.#chunks.shift();
    this.length -= taken.length;
    return taken;
  }
}
