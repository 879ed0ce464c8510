/**
 * Parses Docker's log stream into typed arrays. A busy app writes 10,000 log lines per second, so the parser creates no
 * object, string or date per line.
 */
import { copyOf, freeBuffers } from '../../free-buffers.ts';
import { LogColumns } from '../../log-columns.ts';
import type { LogBatch } from '../../logs.ts';
import { isAfter, LogPosition, type Stamp } from './position.ts';

const HEADER_BYTES = 8;
/** Usual length of Docker's log timestamps in characters, for example `2026-11-21T14:00:00.000000001Z`. */
const STAMP_BYTES = 30;
/**
 * Maximum length of a log line in bytes. Longer lines are split. Otherwise, an app that never writes a line feed could
 * fill the daemon's memory.
 */
const MAX_LINE_BYTES = 256 * 1024;
const STDERR = 2;
const [LINE_FEED, RETURN, SPACE, ZERO, POINT, ZULU] = [0x0a, 0x0d, 0x20, 0x30, 0x2e, 0x5a];

/** An incomplete log line. Docker splits a long line into parts, and all parts have the timestamp of the first part. */
interface Open extends Stamp {
  pieces: Buffer[];
  bytes: number;
}

const EMPTY = Buffer.alloc(0);

type Streams<T> = [stdout: T, stderr: T];

export class LogParser {
  readonly #position: LogPosition;
  #rest: Buffer = EMPTY;
  readonly #open: Streams<Open | null> = [null, null];
  /**
   * Whether the last received text ended inside a log line, as one value for stdout and one for stderr. Docker splits
   * long lines into parts.
   */
  readonly #isCut: Streams<boolean> = [false, false];
  /**
   * Last log timestamp in whole seconds. Consecutive log lines often have the same second, so the timestamp text is
   * parsed only after a change.
   */
  readonly #second = { text: Buffer.alloc(19), value: 0 };
  readonly #stamp: Stamp = { seconds: 0, nanos: 0 };
  /** Latest timestamp of all log lines that the parser has read, including skipped lines. */
  readonly #latest: Stamp;

  /** @param after log position of an earlier batch; lines up to this position are skipped */
  constructor(after: string | null) {
    this.#position = LogPosition.parse(after);
    this.#latest = { ...this.#position.latest };
  }

  /** Returns whether another parser has read a later log line than this parser. */
  isBehind(other: LogParser): boolean {
    return isAfter(other.#latest, this.#latest);
  }

  /**
   * Parses a chunk of Docker's log stream. The chunk can start and end at any byte. Returns the completed log lines, or
   * `null` if the chunk completes no line.
   */
  push(chunk: Buffer): LogBatch | null {
    const rest = this.#rest;
    const bytes = rest.length === 0 ? chunk : copyOf(rest, chunk);
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const start = at + HEADER_BYTES;
      const end = start + bytes.readUInt32BE(at + 4);
      if (end > bytes.length) break;
      this.#piece(bytes[at] === STDERR ? 1 : 0, bytes, start, end);
      at = end;
    }
    // The bytes of an incomplete log line are copied, because the log connection will overwrite the received chunk.
    this.#rest = at === bytes.length ? EMPTY : copyOf(bytes.subarray(at));
    if (bytes !== chunk) freeBuffers([bytes, rest]);
    return this.#take();
  }

  /** Finishes parsing a log. Remaining text without a line feed becomes a log line. */
  end(): LogBatch | null {
    for (const stream of [0, 1] as const) this.#close(stream);
    return this.#take();
  }

  #piece(stream: 0 | 1, bytes: Buffer, start: number, end: number): void {
    const textAt = start + this.#readStamp(bytes, start, end);
    if (isAfter(this.#stamp, this.#latest)) Object.assign(this.#latest, this.#stamp);
    const open = this.#open[stream];
    const isEnded = end > textAt && bytes[end - 1] === LINE_FEED;
    if (open === null && isEnded) {
      const isRest = this.#isCut[stream];
      this.#isCut[stream] = false;
      const isCrLf = end - 2 >= textAt && bytes[end - 2] === RETURN;
      if (this.#position.advance(stream, this.#stamp, isRest)) {
        COLUMNS.add(this.#stamp.seconds, this.#stamp.nanos, stream, bytes, textAt, isCrLf ? end - 2 : end - 1);
      }
      return;
    }
    const line = open ?? { ...this.#stamp, pieces: [], bytes: 0 };
    this.#open[stream] = line;
    // The text of an incomplete log line is copied. A view would keep the whole received chunk in memory.
    line.pieces.push(copyOf(bytes.subarray(textAt, end)));
    line.bytes += end - textAt;
    if (isEnded || line.bytes >= MAX_LINE_BYTES) this.#close(stream);
  }

  #close(stream: 0 | 1): void {
    const open = this.#open[stream];
    if (open === null) return;
    this.#open[stream] = null;
    const isRest = this.#isCut[stream];
    const text = copyOf(...open.pieces);
    this.#isCut[stream] = text[text.length - 1] !== LINE_FEED;
    if (this.#position.advance(stream, open, isRest)) {
      let end = text.length;
      if (text[end - 1] === LINE_FEED) end -= text[end - 2] === RETURN ? 2 : 1;
      COLUMNS.add(open.seconds, open.nanos, stream, text, 0, end);
    }
    freeBuffers([text, ...open.pieces]);
  }

  /**
   * Reads the timestamp at the start of a log line, or of a part of a line, into `#stamp`.
   * @returns length of the timestamp and the following space in bytes, or 0
   */
  #readStamp(bytes: Buffer, start: number, end: number): number {
    const stamp = this.#stamp;
    const isUsual =
      end - start >= STAMP_BYTES && bytes[start + 19] === POINT && bytes[start + STAMP_BYTES - 1] === ZULU;
    if (!isUsual) return this.#readOtherStamp(bytes.subarray(start, Math.min(start + 40, end)));
    const second = this.#second;
    if (bytes.compare(second.text, 0, 19, start, start + 19) !== 0) {
      bytes.copy(second.text, 0, start, start + 19);
      second.value = Date.parse(`${second.text.toString('latin1')}Z`) / 1000;
    }
    let nanos = 0;
    for (let i = start + 20; i < start + STAMP_BYTES - 1; i += 1) nanos = nanos * 10 + (bytes[i] ?? ZERO) - ZERO;
    stamp.seconds = second.value;
    stamp.nanos = nanos;
    return bytes[start + STAMP_BYTES] === SPACE ? STAMP_BYTES + 1 : STAMP_BYTES;
  }

  /**
   * Reads a log timestamp with an unusual length or time zone. A line without a timestamp gets a time directly after
   * the time of the previous line.
   */
  #readOtherStamp(head: Buffer): number {
    const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d) ?/.exec(head.toString('latin1'));
    if (match === null) {
      const { seconds, nanos } = this.#latest;
      this.#stamp.seconds = Math.max(Math.floor(Date.now() / 1000), seconds);
      this.#stamp.nanos = this.#stamp.seconds === seconds ? nanos + 1 : 0;
      return 0;
    }
    this.#stamp.seconds = Math.floor(Date.parse(`${match[1]}${match[3]}`) / 1000);
    this.#stamp.nanos = Number((match[2] ?? '').padEnd(9, '0').slice(0, 9));
    return match[0].length;
  }

  #take(): LogBatch | null {
    if (COLUMNS.count === 0) return null;
    const began = this.#open.filter((open) => open !== null);
    const earliest = began.reduce<Stamp | null>((a, b) => (a === null || isAfter(a, b) ? b : a), null);
    return { ...COLUMNS.take(), position: this.#position.text(earliest) };
  }
}

/** Buffer for parsed log lines, shared by all log parsers. Each `parse` call leaves the buffer empty. */
const COLUMNS = new LogColumns();
