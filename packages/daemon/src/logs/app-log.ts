import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogBatch } from '../engine/logs.ts';
import { packBlock } from './block.ts';
import { type Chunk, joinChunks, rangeOf, type Source } from './chunk.ts';
import { fold } from './needle.ts';
import { type BlockHead, Segment } from './segment.ts';
import { sketchOf } from './sketch.ts';
import { chunkOfFrame, TailFile, type TailFrame } from './tail-file.ts';

const KIB = 1024;
/** The tail becomes a block from this size on: large enough to compress well, small enough to be searched in a blink. */
const BLOCK_BYTES = 256 * KIB;
const WRITE_BYTES = 32 * KIB;
/** What may wait in memory to be written, before whoever brings more has to wait too. */
const PENDING_BYTES = 256 * KIB;
/** A part of the bound on everything, within these: what is let go is let go a segment at a time. */
const SEGMENT = { part: 1 / 16, least: 64 * KIB, most: 8 * KIB * KIB };

export interface Bounds {
  bytes: number;
  days: number;
}

/** What an app's log was at one moment, for who reads it. */
export interface Snapshot {
  segments: { segment: Segment; indexBytes: number }[];
  /** What is in no block yet, oldest first. */
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
  #pending: TailFrame[] = [];
  #pendingBytes = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #problem: Error | null = null;
  #isGone = false;
  #isMade = false;
  /** Told of what was written. */
  onWritten: (chunks: Chunk[]) => void = () => undefined;

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
    return this.#pending.findLast((frame) => frame.key === key)?.position ?? this.#positions.get(key) ?? null;
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
    return this.#pending.length > 0;
  }

  /** Takes lines in; they are written by the next {@link flush}. */
  add(source: Source, key: string, batch: LogBatch): void {
    this.#pending.push({ source, key, position: batch.position, first: 0, batch });
    this.#pendingBytes += sizeOf(batch);
  }

  /** Writes what waits. Never rejects: what could not be written waits for the next one, and `problem` says why. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  snapshot(): Promise<Snapshot> {
    return this.#inTurn(async () => {
      await this.#flush();
      const segments = this.#segments.map((segment) => ({ segment, indexBytes: segment.indexBytes }));
      const waiting = this.#numbered();
      const last = this.newest;
      return { segments, tail: [...(await this.#tail.read()), ...waiting].map(chunkOfFrame), last };
    });
  }

  /** The number of the last line that was written. */
  get last(): number {
    return this.#next - 1;
  }

  /** The number of the last line that a reader may have been told of, written or waiting to be. */
  get newest(): number {
    return this.last + this.#pending.reduce((sum, { batch }) => sum + batch.count, 0);
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
    if (this.#isGone) this.#pending = [];
    if (this.#pending.length === 0) return;
    try {
      if (this.#tail.bytes >= BLOCK_BYTES) await this.#seal();
      if (!this.#isMade) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
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
    // What came in meanwhile stays for the next write.
    this.#pending = this.#pending.slice(frames.length);
    this.#pendingBytes = this.#pending.reduce((sum, { batch }) => sum + sizeOf(batch), 0);
    for (const { key, position, batch } of frames) {
      this.#positions.set(key, position);
      this.#next += batch.count;
    }
    this.onWritten(frames.map(chunkOfFrame));
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
    const chunk = joinChunks((await this.#tail.read()).map(chunkOfFrame));
    const number = this.#blocks + 1;
    const { packed, rawBytes } = await packBlock(chunk);
    const segment = this.#roomy(chunk.first);
    const { count, first, table: sources } = chunk;
    const positions = Object.fromEntries(this.#positions);
    const place = { offset: segment.bytes, bytes: packed.length };
    const head = { number, count, first, sources, rawBytes, ...place, ...rangeOf(chunk), positions };
    await segment.append(packed, head, sketchOf(fold(chunk.text)));
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

/** With what is kept of each line besides its text: when it was written, and to which stream. */
function sizeOf({ text, count }: TailFrame['batch']): number {
  return text.length + 9 * count;
}
