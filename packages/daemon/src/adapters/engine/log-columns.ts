import { freeBuffers } from './free-buffers.ts';
import { bytesHeld, type LogBatch } from './logs.ts';

const LINE_FEED = 0x0a;
const LEAST_LINES = 64;
const LEAST_TEXT_BYTES = 1024;

type Lines = Pick<LogBatch, 'count' | 'seconds' | 'nanos' | 'stderr' | 'text'>;

/**
 * Buffer that merges small batches of log lines into one large batch. The buffer grows automatically and reuses its
 * memory.
 */
export class LogColumns {
  count = 0;
  #seconds = new Uint32Array(LEAST_LINES);
  #nanos = new Uint32Array(LEAST_LINES);
  #stderr = new Uint8Array(LEAST_LINES);
  #text: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** Memory of the buffered log lines in bytes. */
  get bytes(): number {
    return bytesHeld({ count: this.count, text: { length: this.#bytes } });
  }

  /**
   * Adds a log line without its line feed. The line consists of the bytes `start` to `end` (exclusive) of the buffer
   * `from`.
   */
  add(seconds: number, nanos: number, stderr: number, from: Buffer, start: number, end: number): void {
    this.#makeRoom(1, end - start + 1);
    this.#seconds[this.count] = seconds;
    this.#nanos[this.count] = nanos;
    this.#stderr[this.count] = stderr;
    this.count += 1;
    this.#bytes += from.copy(this.#text, this.#bytes, start, end);
    this.#text[this.#bytes++] = LINE_FEED;
  }

  addAll({ count, seconds, nanos, stderr, text }: Lines): void {
    this.#makeRoom(count, text.length);
    this.#seconds.set(seconds, this.count);
    this.#nanos.set(nanos, this.count);
    this.#stderr.set(stderr, this.count);
    this.count += count;
    this.#bytes += text.copy(this.#text, this.#bytes);
  }

  /**
   * Returns all log lines and empties the buffer. The returned arrays are copies, so callers can free them with
   * `freeBuffers`.
   */
  take(): Lines {
    const { count } = this;
    const text = Buffer.allocUnsafeSlow(this.#bytes);
    this.#text.copy(text, 0, 0, this.#bytes);
    const lines = {
      count,
      seconds: this.#seconds.slice(0, count),
      nanos: this.#nanos.slice(0, count),
      stderr: this.#stderr.slice(0, count),
      text,
    };
    this.count = 0;
    this.#bytes = 0;
    return lines;
  }

  /** Frees the memory of the buffer. Log lines must not be added after this call. */
  end(): void {
    freeBuffers([this.#seconds, this.#nanos, this.#stderr, this.#text]);
  }

  #makeRoom(lines: number, bytes: number): void {
    const count = this.count + lines;
    if (count > this.#seconds.length) {
      const length = Math.max(count, this.#seconds.length * 2);
      this.#seconds = moved(this.#seconds, new Uint32Array(length));
      this.#nanos = moved(this.#nanos, new Uint32Array(length));
      this.#stderr = moved(this.#stderr, new Uint8Array(length));
    }
    const needed = this.#bytes + bytes;
    if (needed > this.#text.length) {
      const length = Math.max(needed, this.#text.length * 2, LEAST_TEXT_BYTES);
      this.#text = moved(this.#text, Buffer.allocUnsafeSlow(length));
    }
  }
}

function moved<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  freeBuffers([from]);
  return to;
}
