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
 * Size in bytes at which the newest log lines are compressed into a block. A block of this size compresses well, and a
 * search in the block is fast.
 */
const BLOCK_BYTES = 256 * KIB;
const WRITE_BYTES = 32 * KIB;
/**
 * Maximum size in bytes of an app's log lines in memory. Above this size, Davit reads no more container output until
 * log lines are written to disk.
 */
const PENDING_BYTES = 256 * KIB;
/**
 * Buffer for the lower-case text of a block of log lines. The buffer is reused for each block, so it is as large as the
 * largest possible block.
 */
const FOLD_ROOM = wordsFor(BLOCK_BYTES + PENDING_BYTES);
/**
 * Size of a log segment file. It is a fraction of the log's maximum size, with a minimum and a maximum in bytes. Davit
 * deletes whole segment files when it deletes old log lines.
 */
const SEGMENT = { part: 1 / 16, least: 64 * KIB, most: 8 * KIB * KIB };

/**
 * Log lines of one container that are not on disk yet. The next write to disk stores the lines as one group, which is
 * called a frame.
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

/** Snapshot of an app's log. Later writes to the log do not change the snapshot. */
export interface LogSnapshot {
  segments: { segment: Segment; indexBytes: number }[];
  /**
   * Copies of the newest log lines, oldest first. The lines are not yet in a compressed block on disk. The caller must
   * free the memory of the copies.
   */
  tail: Chunk[];
  /** Number of the newest log line in the snapshot, or 0 if the log has no lines. */
  last: number;
}

/**
 * Log of one app. It consists of compressed blocks in segment files, a tail file, and the newest lines in memory. Later
 * writes do not change a reader's snapshot.
 */
export class AppLog {
  readonly #folder: string;
  readonly #bounds: () => Bounds;
  readonly #tail: TailFile;
  readonly #positions = new Map<string, string>();
  #segments: Segment[];
  /** Total number of blocks that were written to the app's log, including blocks that were deleted later. */
  #blocks: number;
  #next: number;
  #gathered: Gathered[] = [];
  /**
   * Groups of log lines (frames) that wait to be written to disk, or whose write failed. Each group contains the lines
   * of one container.
   */
  #pending: TailFrame[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #problem: Error | null = null;
  #isGone = false;
  #isMade = false;
  /**
   * Called after groups of log lines (chunks) were written to disk.
   * @returns `true` if a log stream still reads the chunks. The caller must then not free the chunks.
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

  /** Returns the position up to which Davit has stored a container's output, or `null` if no output is stored. */
  position(key: string): string | null {
    const isOfIt = (waiting: { key: string }) => waiting.key === key;
    const waiting = this.#gathered.findLast(isOfIt) ?? this.#pending.findLast(isOfIt);
    return waiting?.position ?? this.#positions.get(key) ?? null;
  }

  /** Deletes the stored read position of a container's output. Call this method after the container was deleted. */
  forgetPosition(key: string): void {
    this.#positions.delete(key);
  }

  /** Error of the last write of log lines to disk, or `null` if the write succeeded. */
  get problem(): Error | null {
    return this.#problem;
  }

  /**
   * Whether too many log lines are in memory. In this case, readers of container output must wait until lines are
   * written to disk.
   */
  get isFull(): boolean {
    return this.#pendingBytes >= PENDING_BYTES;
  }

  /** Whether there are enough log lines in memory for a write to disk. */
  get isWorthAWrite(): boolean {
    return this.#pendingBytes >= WRITE_BYTES;
  }

  get hasPending(): boolean {
    return this.#pending.length + this.#gathered.length > 0;
  }

  /**
   * Adds a batch of log lines to the app's log and frees the batch. The next call of {@link flush} writes the lines to
   * disk.
   */
  add(source: Source, key: string, batch: LogBatch): void {
    /*
     * If many lines are in memory, group the lines by container, because fewer groups need less space. Otherwise, keep
     * the order of the lines.
     */
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
   * Prepares the log lines in memory for the next write to disk. Creates one group (frame) for the lines of each
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
   * call tries again.
   */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  snapshot(): Promise<LogSnapshot> {
    return this.#inTurn(async () => {
      await this.#flush();
      const segments = this.#segments.map((segment) => ({ segment, indexBytes: segment.indexBytes }));
      // Copy the newest log lines, because the next write to disk frees the original lines.
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

  /** Number of the oldest log line that is still stored. */
  get first(): number {
    return this.#segments[0]?.first ?? 1;
  }

  /**
   * Deletes the oldest segments of the log if the log is too old or too large. The newest segment stays, because it
   * stores the read position of each container.
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
    // The caller receives the error. Ignore the error in the queue, so that the next operation can start.
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
   * Compresses the lines of the tail file into a block, and then empties the tail file. If the daemon crashes between
   * these steps, the next start ignores the old lines in the tail file.
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

  /** Returns the newest segment file of the log, or a new segment file if the newest one is full. */
  #roomy(first: number): Segment {
    const { part, least, most } = SEGMENT;
    const newest = this.#segments.at(-1);
    const size = Math.min(Math.max(this.#bounds().bytes * part, least), most);
    return newest !== undefined && newest.size < size ? newest : new Segment(this.#folder, first);
  }

  /** @param now time in milliseconds since the epoch. `null` applies only the size limit and no maximum age. */
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
