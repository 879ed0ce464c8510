import type { Logger } from '@davit/service';
import type { LogSnapshot } from './app-log.ts';
import { type Chunk, freeChunks, lineAt, lineStarts, type Source, streamOf } from './chunk.ts';
import type { FoundLines, LogFilter, LogMoment, LogSearch } from './logs.ts';
import { compareMoments } from './moment.ts';
import { type FoldedWords, fold, linesWith, wordsFor } from './needle.ts';
import { Newest } from './newest.ts';
import type { BlockHead, Entry, Segment, SegmentReader } from './segment.ts';
import { type Grams, gramsOf, mayContain } from './sketch.ts';

/**
 * Number of log blocks that are read in advance. Other threads decompress these blocks while the search runs in the
 * current block.
 */
const AHEAD = 3;
const ROOM_BYTES = 1024 * 1024;

/** Filter for log lines. It converts the search text to lower case only once. */
export class Sieve {
  readonly #filter: LogFilter;
  readonly #needle: Buffer | null;
  readonly #grams: Grams | null;
  readonly #room: FoldedWords | undefined;

  /** @param room reusable buffer for lower-case text. Without `room`, each chunk allocates a buffer. */
  constructor(filter: LogFilter, room?: FoldedWords) {
    this.#filter = filter;
    this.#needle = filter.q === undefined || filter.q === '' ? null : fold(Buffer.from(filter.q));
    this.#grams = this.#needle && gramsOf(this.#needle);
    this.#room = room;
  }

  get isOpen(): boolean {
    const { replica, deployment, stream } = this.#filter;
    return this.#needle === null && replica === undefined && deployment === undefined && stream === undefined;
  }

  mayBeIn({ head, sketch }: Entry): boolean {
    return (
      head.sources.some((source) => this.#isFrom(source)) && (this.#grams === null || mayContain(sketch, this.#grams))
    );
  }

  /** Returns the indexes of the chunk's log lines that match the filter, in ascending order. */
  linesOf(chunk: Chunk): Iterable<number> {
    const candidates =
      this.#needle === null
        ? Array(chunk.count).keys()
        : linesWith(fold(chunk.text, this.#room), this.#needle).values();
    const wanted = chunk.table.map((source) => this.#isFrom(source));
    const { stream } = this.#filter;
    return candidates.filter((line) => {
      const origin = chunk.origins[line] ?? 0;
      return wanted[origin >> 1] === true && (stream === undefined || stream === streamOf(origin));
    });
  }

  #isFrom({ replica, deployment }: Source): boolean {
    const wanted = this.#filter;
    return (
      (wanted.replica === undefined || wanted.replica === replica) &&
      (wanted.deployment === undefined || wanted.deployment === deployment)
    );
  }
}

/**
 * Searches the log of an app, newest lines first. Stops as soon as the result has enough lines and all remaining lines
 * are older.
 */
export async function searchLog(
  { segments, tail }: LogSnapshot,
  search: LogSearch,
  signal: AbortSignal,
  log: Logger,
): Promise<FoundLines> {
  const run = new Search(search, log);
  for (const chunk of tail.toReversed()) run.take(chunk);
  freeChunks(tail);
  for (const { segment, indexBytes } of segments.toReversed()) await run.takeSegment(segment, indexBytes, signal);
  return run.found();
}

class Search {
  readonly #search: LogSearch;
  readonly #sieve: Sieve;
  readonly #newest: Newest;
  readonly #log: Logger;

  constructor(search: LogSearch, log: Logger) {
    this.#search = search;
    this.#log = log;
    this.#sieve = new Sieve(search, search.q === undefined ? undefined : wordsFor(ROOM_BYTES));
    this.#newest = new Newest(search.limit, search.maxBytes);
  }

  found(): FoundLines {
    return { lines: this.#newest.lines(), more: this.#newest.wereCut };
  }

  take(chunk: Chunk): void {
    const { last = Number.POSITIVE_INFINITY } = this.#search;
    const lines = [...this.#sieve.linesOf(chunk)].filter((line) => chunk.first + line <= last);
    if (lines.length === 0) return;
    const starts = lineStarts(chunk.text, chunk.count);
    // Start with the newest line. After the result has enough lines, older lines are skipped quickly.
    for (const line of lines.reverse()) {
      const at = { seconds: chunk.seconds[line] ?? 0, nanos: chunk.nanos[line] ?? 0 };
      if (this.#isInTime(at) && this.#newest.wants(at)) {
        this.#newest.push(at, chunk.first + line, lineAt(chunk, starts, line));
      }
    }
  }

  async takeSegment(segment: Segment, indexBytes: number, signal: AbortSignal): Promise<void> {
    const blocks = await segment.blocks(indexBytes, (entry) => this.#isWorthIt(entry));
    signal.throwIfAborted();
    if (blocks.length === 0) return;
    await using reader = await segment.open();
    if (reader === null) return;
    blocks.sort((a, b) => compareMoments(b.to, a.to));
    const wanted = blocks.values().filter(({ to }) => this.#newest.wants(to));
    for await (const chunk of readAhead(reader, wanted, this.#log)) {
      signal.throwIfAborted();
      this.take(chunk);
      freeChunks([chunk]);
    }
  }

  #isWorthIt(entry: Entry): boolean {
    const { since, until } = this.#search;
    const { from, to } = entry.head;
    if (since !== undefined && compareMoments(to, since) < 0) return false;
    if (until !== undefined && compareMoments(from, until) >= 0) return false;
    return this.#sieve.mayBeIn(entry) && this.#newest.wants(to);
  }

  #isInTime(at: LogMoment): boolean {
    const { since, until } = this.#search;
    return (
      (since === undefined || compareMoments(at, since) >= 0) && (until === undefined || compareMoments(at, until) < 0)
    );
  }
}

/** Reads compressed blocks of log lines in the given order. Skips damaged blocks. */
async function* readAhead(reader: SegmentReader, heads: Iterator<BlockHead>, log: Logger): AsyncGenerator<Chunk> {
  const coming: Promise<Chunk | null>[] = [];
  const damaged = (head: BlockHead, error: unknown) => {
    // Skip a damaged block of log lines, so that a search finds the lines of other blocks.
    log.warn({ block: head.number, error }, 'a block of a stored log is damaged; its lines are skipped');
    return null;
  };
  const readNext = () => {
    const { value: head, done } = heads.next();
    if (!done) coming.push(reader.block(head).catch((error) => damaged(head, error)));
  };
  try {
    for (let i = 0; i < AHEAD; i += 1) readNext();
    for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
      const chunk = await next;
      if (chunk !== null) yield chunk;
      readNext();
    }
  } finally {
    await Promise.all(coming);
  }
}

/**
 * Reads all log lines from a line number on, one chunk per block, in order of arrival. Pass each chunk to `freeChunks`
 * after use.
 */
export async function* readFrom({ segments, tail }: LogSnapshot, number: number, log: Logger): AsyncGenerator<Chunk> {
  for (const { segment, indexBytes } of segments) {
    const blocks = await segment.blocks(indexBytes, ({ head }) => head.first + head.count > number);
    if (blocks.length === 0) continue;
    await using reader = await segment.open();
    if (reader !== null) yield* readAhead(reader, blocks.values(), log);
  }
  for (const chunk of tail) if (chunk.first + chunk.count > number) yield chunk;
}
