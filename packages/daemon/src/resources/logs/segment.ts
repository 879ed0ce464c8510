/**
 * A run of blocks on disk: `<number of its first line>.log` with their bytes and `.idx` with an entry each, which a search
 * reads to know which blocks it needs. A block is there once its entry is: what a crash leaves of one without is dropped.
 */
import { type FileHandle, open, readFile, stat, truncate, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '@davit/service/durable-files';
import { copyOf, handBack } from '../../adapters/engine/hand-back.ts';
import { type BlockFacts, unpackBlock } from './block.ts';
import type { Chunk } from './chunk.ts';
import { ColumnReader, numberBytes } from './columns.ts';
import type { LogMoment } from './logs.ts';
import { readStart } from './read-start.ts';
import type { Sketch } from './sketch.ts';
import { writeAll } from './write-all.ts';

export interface BlockHead extends BlockFacts {
  /** Which one it is of the app's, from 1. */
  number: number;
  count: number;
  /** Where it is in the file. */
  offset: number;
  bytes: number;
  from: LogMoment;
  to: LogMoment;
  /** How far each container's log has been read, this block included. */
  positions: Record<string, string>;
}

export interface Entry {
  head: BlockHead;
  sketch: Sketch;
}

const NAME = /^(\d{16})\.idx$/;
/** An entry's length and its checksum. */
const FRAME_BYTES = 8;

export class Segment {
  /** The number of its first line. */
  readonly first: number;
  readonly #path: string;
  bytes = 0;
  indexBytes = 0;
  /** Milliseconds since the epoch. */
  writtenAt = 0;

  constructor(folder: string, first: number) {
    this.first = first;
    this.#path = join(folder, String(first).padStart(16, '0'));
  }

  /** The segment of an index file; null for another file. */
  static of(folder: string, file: string): Segment | null {
    const [, first] = NAME.exec(file) ?? [];
    return first === undefined ? null : new Segment(folder, Number(first));
  }

  get size(): number {
    return this.bytes + this.indexBytes;
  }

  /** Takes up what is on disk. @returns null when nothing of it holds */
  async load(): Promise<this | null> {
    try {
      const [log, index] = await Promise.all([stat(`${this.#path}.log`), stat(`${this.#path}.idx`)]);
      this.bytes = log.size;
      this.indexBytes = index.size;
      this.writtenAt = index.mtimeMs;
      return this;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return null;
    }
  }

  /** Drops what a crash tore at the end of the newest segment; answers the last block that holds, null when none does. */
  async repair(): Promise<BlockHead | null> {
    const entries = [...readEntries(await readFile(`${this.#path}.idx`))];
    let indexBytes = entries.reduce((sum, { length }) => sum + length, 0);
    while (entries.length > 0) {
      const { head, length } = entries.at(-1) as ReadEntry;
      if (head.offset + head.bytes <= this.bytes && (await this.#holds(head))) break;
      entries.pop();
      indexBytes -= length;
    }
    const last = entries.at(-1)?.head ?? null;
    const end = last === null ? 0 : last.offset + last.bytes;
    if (indexBytes < this.indexBytes) await truncate(`${this.#path}.idx`, indexBytes);
    if (end < this.bytes) await truncate(`${this.#path}.log`, end);
    this.indexBytes = indexBytes;
    this.bytes = end;
    return last;
  }

  /** Adds a block; on failure the segment is as it was. */
  async append(packed: Buffer, head: BlockHead, { short, long }: Sketch): Promise<void> {
    await this.#write('.log', packed, this.bytes);
    const text = Buffer.from(JSON.stringify({ ...head, short: short.length, long: long.length } satisfies StoredHead));
    const payload = copyOf(numberBytes(text.length), text, short, long);
    const entry = copyOf(numberBytes(payload.length), numberBytes(crc32(payload)), payload);
    await this.#write('.idx', entry, this.indexBytes);
    this.bytes += packed.length;
    this.indexBytes += entry.length;
    this.writtenAt = Date.now();
    handBack([payload, entry, short, long]);
  }

  /** Its blocks that are wanted, oldest first; none when it was removed meanwhile. */
  async blocks(indexBytes: number, isWanted: (entry: Entry) => boolean): Promise<BlockHead[]> {
    try {
      const content = await readStart(`${this.#path}.idx`, indexBytes);
      const heads = [
        ...readEntries(content)
          .filter(isWanted)
          .map(({ head }) => head),
      ];
      handBack([content]);
      return heads;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Opened for reading blocks; null when it was removed meanwhile. */
  async open(): Promise<SegmentReader | null> {
    try {
      return new SegmentReader(await open(`${this.#path}.log`, 'r'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** The blocks first: an index without them is dropped at the next start. */
  async remove(): Promise<void> {
    for (const suffix of ['.log', '.idx']) {
      await unlink(`${this.#path}${suffix}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }

  async #holds(head: BlockHead): Promise<boolean> {
    await using reader = await this.open();
    if (reader === null) return false;
    return reader.block(head).then(
      () => true,
      // Torn bytes show as one of the decompressor's errors.
      () => false,
    );
  }

  async #write(suffix: '.log' | '.idx', bytes: Buffer, at: number): Promise<void> {
    const flags = at === 0 ? 'w' : 'r+';
    await using handle = await open(`${this.#path}${suffix}`, flags, 0o600);
    await writeAll(handle, bytes, at);
    await handle.datasync();
    if (at === 0) await syncFolder(dirname(this.#path));
  }
}

export class SegmentReader implements AsyncDisposable {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @throws Error when its bytes are not those that were written */
  async block(head: BlockHead): Promise<Chunk> {
    const packed = Buffer.allocUnsafeSlow(head.bytes);
    try {
      await this.#handle.read(packed, 0, head.bytes, head.offset);
      return await unpackBlock(packed, head);
    } finally {
      handBack([packed]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

type StoredHead = BlockHead & { short: number; long: number };
type ReadEntry = Entry & { length: number };

/** Every entry up to the first that does not hold. Its sketch is a part of the content. */
function* readEntries(content: Buffer): Generator<ReadEntry, void> {
  for (let at = 0; at + FRAME_BYTES <= content.length; ) {
    const length = FRAME_BYTES + content.readUInt32LE(at);
    if (at + length > content.length) return;
    const payload = content.subarray(at + FRAME_BYTES, at + length);
    if (crc32(payload) !== content.readUInt32LE(at + 4)) return;
    const reader = new ColumnReader(payload);
    const { short, long, ...head } = JSON.parse(reader.bytes(reader.number()).toString()) as StoredHead;
    yield { head, sketch: { short: reader.bytes(short), long: reader.bytes(long) }, length };
    at += length;
  }
}
