import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@davit/service/durable-files';
import { handBack } from '../../adapters/engine/hand-back.ts';
import { LogColumns } from '../../adapters/engine/log-columns.ts';
import { bytesHeld, type LogBatch } from '../../adapters/engine/logs.ts';
import { packBlock } from './block.ts';
import { type Chunk, freeChunks, joinChunks, rangeOf, type Source } from './chunk.ts';
import { fold, wordsFor } from './needle.ts';
import { type BlockHead, Segment } from './segment.ts';
import { sketchOf } from './sketch.ts';
import { chunkOfFrame, TailFile, type TailFrame } from './tail-file.ts';

const KIB = 1024;
/** The tail becomes a block from this size on: large enough to compress well, small enough to be searched in a blink. */
const BLOCK_BYTES = 256 * KIB;
const WRITE_BYTES = 32 * KIB;
/** What may wait in memory to be written, before whoever brings more has to wait too. */
const PENDING_BYTES = 256 * KIB;
/** Buffer for the text of each block in turn. Its size is that of a full tail and one more write. */
const FOLD_ROOM = wordsFor(BLOCK_BYTES + PENDING_BYTES);
/** A part of the bound on everything, within these: what is let go is let go a segment at a time. */
const SEGMENT = { part: 1 / 16, least: 64 * KIB, most: 8 * KIB * KIB };

/** Lines of one container that came since the last write: what comes in small batches is written as one. */
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

/** What an app's log was at one moment, for who reads it. */
export interface LogSnapshot {
  segments: { segment: Segment; indexBytes: number }[];
  /** Lines that are in no block yet, oldest first. They are copies, which their readers free. */
  tail: Chunk[];
  /** The number of the last line; 0: there is none. */
  last: number;
}

/**
 * The log of one app on disk: blocks in segments, then the tail, then what waits to be written. What is written is
 * written in order, one thing at a time; what is read is a snapshot, which nothing that is written later changes.
 */
export class AppLog {
  readonly #folder: string;
  readonly #bounds: () => Bounds;
  readonly #tail: TailFile;
  readonly #positions = new Map<string, string>();
  #segments: Segment[];
  /** How many blocks there have been. */
  #blocks: number;
  #next: number;
  #gathered: Gathered[] = [];
  /** What is being written, or could not be. */
  #pending: TailFrame[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #problem: Error | null = null;
  #isGone = false;
  #isMade = false;
  /** Called with the written lines. @returns whether a reader still uses these chunks */
  onWritten: (chunks: Chunk[]) => boolean = () => false;

  /** Takes up what is on disk. Nothing is made there before there is a line. */
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

  /** How far a container's log has been taken in; null: nothing of it. */
  position(key: string): string | null {
    const isOfIt = (waiting: { key: string }) => waiting.key === key;
    const waiting = this.#gathered.findLast(isOfIt) ?? this.#pending.findLast(isOfIt);
    return waiting?.position ?? this.#positions.get(key) ?? null;
  }

  /** A container is gone: nobody will go on from its position. */
  forgetPosition(key: string): void {
    this.#positions.delete(key);
  }

  /** Why nothing could be written; null: it could. */
  get problem(): Error | null {
    return this.#problem;
  }

  /** There is no room for more: whoever brings lines has to wait for a write. */
  get isFull(): boolean {
    return this.#pendingBytes >= PENDING_BYTES;
  }

  /** It is better written now than later: what waits long is kept longer by the collector of garbage than by us. */
  get isWorthAWrite(): boolean {
    return this.#pendingBytes >= WRITE_BYTES;
  }

  get hasPending(): boolean {
    return this.#pending.length + this.#gathered.length > 0;
  }

  /** Takes lines in, and frees their memory; they are written by the next {@link flush}. */
  add(source: Source, key: string, batch: LogBatch): void {
    // A flood of several containers is grouped by container; otherwise lines stay in the order of arrival.
    const last = this.isWorthAWrite ? this.#gathered.find((one) => one.key === key) : this.#gathered.at(-1);
    const gathered = last?.key === key ? last : { source, key, position: '', columns: new LogColumns() };
    if (gathered !== last) this.#gathered.push(gathered);
    gathered.columns.addAll(batch);
    gathered.position = batch.position;
    handBack([batch.text, batch.seconds, batch.nanos, batch.stderr]);
  }

  get #pendingBytes(): number {
    const pending = this.#pending.reduce((sum, { batch }) => sum + bytesHeld(batch), 0);
    return this.#gathered.reduce((sum, { columns }) => sum + columns.bytes, pending);
  }

  /** Has everything that waits be written next. */
  #close(): void {
    for (const { columns, ...frame } of this.#gathered.splice(0)) {
      this.#pending.push({ ...frame, first: 0, batch: columns.take() });
      columns.end();
    }
  }

  /** Writes what waits. Never rejects: what could not be written waits for the next one, and `problem` says why. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  snapshot(): Promise<LogSnapshot> {
    return this.#inTurn(async () => {
      await this.#flush();
      const segments = this.#segments.map((segment) => ({ segment, indexBytes: segment.indexBytes }));
      // Copies: the next write hands the memory of what waits back.
      this.#close();
      const waiting = joinChunks(this.#numbered().map(chunkOfFrame));
      const last = this.newest;
      const tail = [await this.#tail.joined(), waiting].filter(({ count }) => count > 0);
      return { segments, tail, last };
    });
  }

  /** The number of the last line that was written. */
  get last(): number {
    return this.#next - 1;
  }

  /** The number of the last line that a reader may have been told of, written or waiting to be. */
  get newest(): number {
    const pending = this.#pending.reduce((sum, { batch }) => sum + batch.count, this.last);
    return this.#gathered.reduce((sum, { columns }) => sum + columns.count, pending);
  }

  /** The number of the first line that is still there. */
  get first(): number {
    return this.#segments[0]?.first ?? 1;
  }

  /** Lets go of segments beyond the bounds, oldest first; the newest stays, and with it how far everything was read. */
  prune(now: number): Promise<void> {
    return this.#inTurn(() => this.#prune(now));
  }

  /** Removes everything; nothing is written from then on. */
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
    // Who asked sees the failure; the next in turn begins all the same.
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
    handBack(frames.map(({ batch }) => batch.stderr));
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

  /** Makes a block of the tail. A crash after it finds the tail of a life that is over. */
  async #seal(): Promise<void> {
    const chunk = await this.#tail.joined();
    const number = this.#blocks + 1;
    const { packed, rawBytes } = await packBlock(chunk);
    const segment = this.#roomy(chunk.first);
    const { count, first, table: sources } = chunk;
    const positions = Object.fromEntries(this.#positions);
    const place = { offset: segment.bytes, bytes: packed.length };
    const head = { number, count, first, sources, rawBytes, ...place, ...rangeOf(chunk), positions };
    const folded = fold(chunk.text, FOLD_ROOM);
    await segment.append(packed, head, sketchOf(folded));
    handBack(folded.buffer === FOLD_ROOM.buffer ? [packed] : [packed, folded]);
    freeChunks([chunk]);
    this.#blocks = number;
    if (segment !== this.#segments.at(-1)) this.#segments = [...this.#segments, segment];
    this.#tail.begin(number + 1);
    await this.#prune(null);
  }

  /** The newest segment, or a new one when that is large enough. */
  #roomy(first: number): Segment {
    const { part, least, most } = SEGMENT;
    const newest = this.#segments.at(-1);
    const size = Math.min(Math.max(this.#bounds().bytes * part, least), most);
    return newest !== undefined && newest.size < size ? newest : new Segment(this.#folder, first);
  }

  /** @param now null: by size alone */
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
