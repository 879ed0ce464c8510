import { copyOf, freeBuffers } from '../../adapters/engine/free-buffers.ts';
import type { KeptLine, LogMoment } from './logs.ts';
import { compareMoments, formatMoment } from './moment.ts';

export interface Source {
  /** Name of the replica that wrote the log lines, in the form `<deployment>-<n>`. */
  replica: string;
  deployment: number;
}

/**
 * Group of log lines. Numbers, times and text are stored in separate columns, in memory as on disk. An object for a
 * single line is created only when a reader needs the line.
 */
export interface Chunk {
  /** Number of the first log line in the chunk. The log lines of an app are numbered in the order of arrival. */
  first: number;
  count: number;
  seconds: Uint32Array;
  nanos: Uint32Array;
  /**
   * Source of each log line, as the number `2 * index + stream`. `index` is the index of the replica in `table`.
   * `stream` is 0 for stdout and 1 for stderr.
   */
  origins: Uint16Array;
  table: Source[];
  /** UTF-8 text of all log lines. A line feed follows each line. */
  text: Buffer;
}

export const LINE_FEED = 0x0a;

/** Returns the offset of each line in a text. The last element of the result is the length of the text. */
export function lineStarts(text: Buffer, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let line = 1; line <= count; line += 1) starts[line] = text.indexOf(LINE_FEED, starts[line - 1]) + 1;
  return starts;
}

export function streamOf(origin: number): KeptLine['stream'] {
  return origin & 1 ? 'stderr' : 'stdout';
}

export function lineAt(chunk: Chunk, starts: Uint32Array, line: number): KeptLine {
  const origin = chunk.origins[line] ?? 0;
  const { replica = '', deployment = 0 } = chunk.table[origin >> 1] ?? {};
  return {
    replica,
    deployment,
    stream: streamOf(origin),
    at: formatMoment(chunk.seconds[line] ?? 0, chunk.nanos[line] ?? 0),
    line: chunk.text.toString('utf8', starts[line], (starts[line + 1] ?? 1) - 1),
  };
}

/** Frees the memory of chunks of log lines. The chunks must not be used after this call. */
export function freeChunks(chunks: readonly Chunk[]): void {
  freeBuffers(chunks.flatMap(({ text, seconds, nanos, origins }) => [text, seconds, nanos, origins]));
}

/** Joins chunks of log lines with consecutive numbers into one chunk. */
export function joinChunks(chunks: readonly Chunk[]): Chunk {
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const joined: Chunk = {
    first: chunks[0]?.first ?? 0,
    count,
    seconds: new Uint32Array(count),
    nanos: new Uint32Array(count),
    origins: new Uint16Array(count),
    table: [],
    text: copyOf(...chunks.map(({ text }) => text)),
  };
  const indexes = new Map<string, number>();
  let at = 0;
  for (const chunk of chunks) {
    joined.seconds.set(chunk.seconds, at);
    joined.nanos.set(chunk.nanos, at);
    const moved = chunk.table.map((source) => {
      const index = indexes.get(source.replica) ?? joined.table.push(source) - 1;
      indexes.set(source.replica, index);
      return index;
    });
    for (let line = 0; line < chunk.count; line += 1) {
      const origin = chunk.origins[line] ?? 0;
      joined.origins[at + line] = ((moved[origin >> 1] ?? 0) << 1) | (origin & 1);
    }
    at += chunk.count;
  }
  return joined;
}

/** Returns the earliest and the latest time of the log lines in a chunk. The lines may not be sorted by time. */
export function rangeOf({ count, seconds, nanos }: Chunk): { from: LogMoment; to: LogMoment } {
  const at = (line: number): LogMoment => ({ seconds: seconds[line] ?? 0, nanos: nanos[line] ?? 0 });
  let [from, to] = [at(0), at(0)];
  for (let line = 1; line < count; line += 1) {
    const moment = at(line);
    if (compareMoments(moment, from) < 0) from = moment;
    if (compareMoments(moment, to) > 0) to = moment;
  }
  return { from, to };
}
