import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@davit/service/durable-files';
import { freeBuffers } from '../../adapters/engine/free-buffers.ts';
import { LogColumns } from '../../adapters/engine/log-columns.ts';
import { bytesHeld, type LogBatch } from '../../adapters/engine/logs.ts';
import { packBlock } from './block.ts';
import { type Chunk, freeChunks, joinChunks, rangeOf, type Source } from './chunk.ts';
import { fold, wordsFor } from './needle.ts';
import { type BlockHead, Segment } from './segment.ts';
import { sketchOf } from './sketch.ts';
import { chunkOfFrame, TailFile, type TailFrame } from './tail-file.ts';

const KIB = 1024;
/**
 * Size in bytes at which the newest log lines are compressed into a block. Blocks of this size compress well and can be
 * searched quickly.
 */
const BLOCK_BYTES = 256 * KIB;
const WRITE_BYTES = 32 * KIB;
/**
 * Maximum size in bytes of an app's log lines in memory. At this size, Davit stops reading container output until lines
 * are on disk.
 */
const PENDING_BYTES = 256 * KIB;
/**
 * Buffer for the lower-case text of a block. It is reused for each block, so it has the maximum size of a block's text.
 */
const FOLD_ROOM = wordsFor(BLOCK_BYTES + PENDING_BYTES);
/**
 * Size of a segment file: a fraction of the log's maximum size, with a minimum and a maximum. Old log lines are deleted
 * in units of segments.
 */
const SEGMENT = { part: 1 / 16, least: 64 * KIB, most: 8 * KIB * KIB };

/**
 * Log lines of one container that are not on disk yet. The next write to disk stores them together, as one frame (a
 * group of lines).
 */
interface Gathered {
  source: Source;
  key: string;
  position: string;
  columns: LogColumns;
}

export interface Bounds {
  bytes: number;
  days: number;
}

/** State of an app's log at one moment. Later writes to the log do not change this object. */
export interface LogSnapshot {
  segments: { segment: Segment; indexBytes: number }[];
  /**
   * Copies of the newest log lines, oldest first. These lines are not yet in a compressed block on disk. The caller
   * must free the memory of the copies.
   */
  tail: Chunk[];
  /** Number of the newest log line in the snapshot, or 0 if the log has no lines. */
  last: number;
}

/**
 * Log of one app: compressed blocks in segment files, a tail file, and the newest lines in memory. Later writes do not
 * change a reader's snapshot.
 */
export class AppLog {
  readonly #folder: string;
  readonly #bounds: () => Bounds;
  readonly #tail: TailFile;
  readonly #positions = new Map<string, string>();
  #segments: Segment[];
  /** Number of blocks of log lines that were ever written to the app's log, including deleted blocks. */
  #blocks: number;
  #next: number;
  #gathered: Gathered[] = [];
  /**
   * Groups of log lines that are not on disk yet. Davit is writing them, or could not write them. Each group (frame)
   * contains the lines of one container.
   */
  #pending: TailFrame[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #problem: Error | null = null;
  #isGone = false;
  #isMade = false;
  /**
   * Called after groups of log lines (chunks) were written to disk.
   * @returns `true` if a log stream still reads the chunks, so that the caller must not free them
   */
  onWritten: (chunks: Chunk[]) => boolean = () => false;

  /** Loads the log of an app from disk. The log's files are created when the first line arrives. */
  static async open(folder: string, bounds: () => Bounds): Promise<AppLog> {
    const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const found = files.sort().flatMap((file) => Segment.of(folder, file) ?? []);
    const segments = (await Promise.all(found.map((segment) => segment.load()))).filter((one) => one !== null);
    let last: BlockHead | null = null;
    while (segments.length > 0) {
      last = (await segments.at(-1)?.repair()) ?? null;
      if (last !== null) break;
      await segments.pop()?.remove();
    }
    const blocks = last?.number ?? 0;
    const { tail, frames } = await TailFile.open(join(folder, 'tail'), blocks + 1);
    return new AppLog(folder, bounds, { segments, last, tail, frames });
  }

  private constructor(
    folder: string,
    bounds: () => Bounds,
    found: { segments: Segment[]; last: BlockHead | null; tail: TailFile; frames: TailFrame[] },
  ) {
    const { segments, last, tail, frames } = found;
    this.#folder = folder;
    this.#bounds = bounds;
    this.#segments = segments;
    this.#tail = tail;
    this.#blocks = last?.number ?? 0;
    this.#next = last === null ? 1 : last.first + last.count;
    for (const [key, position] of Object.entries(last?.positions ?? {})) this.#positions.set(key, position);
    for (const { key, position, first, batch } of frames) {
      this.#positions.set(key, position);
      this.#next = first + batch.count;
    }
  }

  /** Returns the position up to which a container's output is stored, or `null` if no output is stored. */
  position(key: string): string | null {
    const isOfIt = (waiting: { key: string }) => waiting.key === key;
    const waiting = this.#gathered.findLast(isOfIt) ?? this.#pending.findLast(isOfIt);
    return waiting?.position ?? this.#positions.get(key) ?? null;
  }

  /** Forgets how far Davit has read the output of a container. Call it after the container was deleted. */
  forgetPosition(key: string): void {
    this.#positions.delete(key);
  }

  /** Error of the last write of log lines to disk, or `null` if the write succeeded. */
  get problem(): Error | null {
    return this.#problem;
  }

  /**
   * Whether too many log lines are in memory. Readers of container output must then wait until lines are written to
   * disk.
   */
  get isFull(): boolean {
    return this.#pendingBytes >= PENDING_BYTES;
  }

  /** Whether enough log lines are in memory to write them to disk. A write frees their memory. */
  get isWorthAWrite(): boolean {
    return this.#pendingBytes >= WRITE_BYTES;
  }

  get hasPending(): boolean {
    return this.#pending.length + this.#gathered.length > 0;
  }

  /**
   * Adds a batch of log lines and frees the memory of the batch. The next call of {@link flush} writes the lines to
   * disk.
   */
  add(source: Source, key: string, batch: LogBatch): void {
    // If many lines are in memory, group them by container, so that there are few groups. Otherwise, keep their order.
    const last = this.isWorthAWrite ? this.#gathered.find((one) => one.key === key) : this.#gathered.at(-1);
    const gathered = last?.key === key ? last : { source, key, position: '', columns: new LogColumns() };
    if (gathered !== last) this.#gathered.push(gathered);
    gathered.columns.addAll(batch);
    gathered.position = batch.position;
    freeBuffers([batch.text, batch.seconds, batch.nanos, batch.stderr]);
  }

  get #pendingBytes(): number {
    const pending = this.#pending.reduce((sum, { batch }) => sum + bytesHeld(batch), 0);
    return this.#gathered.reduce((sum, { columns }) => sum + columns.bytes, pending);
  }

  /**
   * Prepares the collected log lines for the next write to disk. Each frame (a group of lines) contains lines of one
   * container.
   */
  #close(): void {
    for (const { columns, ...frame } of this.#gathered.splice(0)) {
      this.#pending.push({ ...frame, first: 0, batch: columns.take() });
      columns.end();
    }
  }

  /**
   * Writes the log lines in memory to disk. Never rejects. If a write fails, `problem` contains the error, and the next
   * call writes the lines again.
   */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  snapshot(): Promise<LogSnapshot> {
    return this.#inTurn(async () => {
      await this.#flush();
      const segments = this.#segments.map((segment) => ({ segment, indexBytes: segment.indexBytes }));
      // Copy the newest log lines, because the originals are removed from memory by the next write to disk.
      this.#close();
      const waiting = joinChunks(this.#numbered().map(chunkOfFrame));
      const last = this.newest;
      const tail = [await this.#tail.joined(), waiting].filter(({ count }) => count > 0);
      return { segments, tail, last };
    });
  }

  get last(): number {
    return this.#next - 1;
  }

  /** Number of the newest log line, on disk or in memory. */
  get newest(): number {
    const pending = this.#pending.reduce((sum, { batch }) => sum + batch.count, this.last);
    return this.#gathered.reduce((sum, { columns }) => sum + columns.count, pending);
  }

  /** Sequence number of the oldest log line that is still stored. */
  get first(): number {
    return this.#segments[0]?.first ?? 1;
  }

  /**
   * Deletes the oldest segments of a log that is too old or too large. The newest segment stays, because it stores the
   * read position of each container.
   */
  prune(now: number): Promise<void> {
    return this.#inTurn(() => this.#prune(now));
  }

  /** Deletes the app's log from disk. Log lines that arrive later are discarded. */
  destroy(): Promise<void> {
    this.#isGone = true;
    return this.#inTurn(async () => {
      await this.#tail.close();
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#inTurn(() => this.#tail.close());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // The caller receives the error. The queue ignores it, so that the next operation can start.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #flush(): Promise<void> {
    this.#close();
    if (this.#isGone) this.#pending = [];
    if (this.#pending.length === 0) return;
    try {
      if (this.#tail.bytes >= BLOCK_BYTES) await this.#seal();
      if (!this.#isMade) await makeFolder(this.#folder, 0o700);
      this.#isMade = true;
      await this.#write(this.#numbered());
      this.#problem = null;
      if (this.#tail.bytes >= BLOCK_BYTES) await this.#seal();
    } catch (error) {
      this.#problem = error as Error;
    }
  }

  async #write(frames: TailFrame[]): Promise<void> {
    await this.#tail.append(frames);
    this.#pending = [];
    for (const { key, position, batch } of frames) {
      this.#positions.set(key, position);
      this.#next += batch.count;
    }
    const chunks = frames.map(chunkOfFrame);
    freeBuffers(frames.map(({ batch }) => batch.stderr));
    if (!this.onWritten(chunks)) freeChunks(chunks);
  }

  #numbered(): TailFrame[] {
    let first = this.#next;
    return this.#pending.map((frame) => {
      const numbered = { ...frame, first };
      first += frame.batch.count;
      return numbered;
    });
  }

  /**
   * Compresses the tail file's lines into a block, then empties the file. After a crash in between, the next start
   * ignores this tail file.
   */
  async #seal(): Promise<void> {
    const chunk = await this.#tail.joined();
    const number = this.#blocks + 1;
    const { packed, rawBytes } = await packBlock(chunk);
    const segment = this.#roomy(chunk.first);
    const { count, first, table: sources } = chunk;
    const positions = Object.fromEntries(this.#positions);
    const extent = { offset: segment.bytes, bytes: packed.length };
    const head = { number, count, first, sources, rawBytes, ...extent, ...rangeOf(chunk), positions };
    const folded = fold(chunk.text, FOLD_ROOM);
    await segment.append(packed, head, sketchOf(folded));
    freeBuffers(folded.buffer === FOLD_ROOM.buffer ? [packed] : [packed, folded]);
    freeChunks([chunk]);
    this.#blocks = number;
    if (segment !== this.#segments.at(-1)) this.#segments = [...this.#segments, segment];
    this.#tail.begin(number + 1);
    await this.#prune(null);
  }

  /** Returns the newest segment file of the log. If it is full, returns a new one. */
  #roomy(first: number): Segment {
    const { part, least, most } = SEGMENT;
    const newest = this.#segments.at(-1);
    const size = Math.min(Math.max(this.#bounds().bytes * part, least), most);
    return newest !== undefined && newest.size < size ? newest : new Segment(this.#folder, first);
  }

  /** @param now time in milliseconds since the epoch, or `null` to apply only the size limit */
  async #prune(now: number | null): Promise<void> {
    const { bytes, days } = this.#bounds();
    const oldest = now === null ? 0 : now - days * 86_400_000;
    let total = this.#segments.reduce((sum, segment) => sum + segment.size, this.#tail.size);
    while (this.#segments.length > 1) {
      const [first] = this.#segments;
      if (first === undefined || (total <= bytes && first.writtenAt >= oldest)) return;
      this.#segments = this.#segments.slice(1);
      total -= first.size;
      await first.remove();
    }
  }
}
