/**
 * Segment of an app's log: a pair of files named by the number of the first line. The `.log` file contains compressed
 * blocks. The `.idx` file has an entry per block, so that a search can select blocks.
 */
import { type FileHandle, open, readFile, stat, truncate, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '@davit/service/durable-files';
import { copyOf, freeBuffers } from '../../adapters/engine/free-buffers.ts';
import { type BlockFacts, unpackBlock } from './block.ts';
import type { Chunk } from './chunk.ts';
import { ColumnReader, numberBytes } from './columns.ts';
import type { LogMoment } from './logs.ts';
import { readStart } from './read-start.ts';
import type { Sketch } from './sketch.ts';
import { writeAll } from './write-all.ts';

export interface BlockHead extends BlockFacts {
  /** Number of the block in the app's log. The first block has the number 1. */
  number: number;
  count: number;
  /** Offset of the block of log lines in the `.log` file, in bytes. */
  offset: number;
  bytes: number;
  from: LogMoment;
  to: LogMoment;
  /**
   * Map from a container's short id to the read position in the container's log. The position is from the time when
   * Davit saved this block of log lines.
   */
  positions: Record<string, string>;
}

export interface Entry {
  head: BlockHead;
  sketch: Sketch;
}

const NAME = /^(\d{16})\.idx$/;
/** Size in bytes of the header of each index entry. The header contains the length and the checksum of the entry. */
const FRAME_BYTES = 8;

export class Segment {
  readonly first: number;
  readonly #path: string;
  bytes = 0;
  indexBytes = 0;
  writtenAt = 0;

  constructor(folder: string, first: number) {
    this.first = first;
    this.#path = join(folder, String(first).padStart(16, '0'));
  }

  /**
   * Returns the log segment (a pair of log files) of an index file. Returns `null` if the file name does not have the
   * form `<number>.idx`.
   */
  static of(folder: string, file: string): Segment | null {
    const [, first] = NAME.exec(file) ?? [];
    return first === undefined ? null : new Segment(folder, Number(first));
  }

  get size(): number {
    return this.bytes + this.indexBytes;
  }

  /**
   * Reads the sizes of the two files of this log segment.
   * @returns `null` if one of the files does not exist
   */
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

  /**
   * Removes incomplete blocks and index entries from the end of the newest log segment. A crash can leave them.
   * @returns the last valid block, or `null`
   */
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

  /** Appends a block of log lines to the segment. If the write fails, the existing blocks of the segment stay valid. */
  async append(packed: Buffer, head: BlockHead, { short, long }: Sketch): Promise<void> {
    await this.#write('.log', packed, this.bytes);
    const text = Buffer.from(JSON.stringify({ ...head, short: short.length, long: long.length } satisfies StoredHead));
    const payload = copyOf(numberBytes(text.length), text, short, long);
    const entry = copyOf(numberBytes(payload.length), numberBytes(crc32(payload)), payload);
    await this.#write('.idx', entry, this.indexBytes);
    this.bytes += packed.length;
    this.indexBytes += entry.length;
    this.writtenAt = Date.now();
    freeBuffers([payload, entry, short, long]);
  }

  /**
   * Returns the blocks of log lines for which `isWanted` returns `true`, oldest first. Returns no blocks if the files
   * of this log segment were deleted.
   */
  async blocks(indexBytes: number, isWanted: (entry: Entry) => boolean): Promise<BlockHead[]> {
    try {
      const content = await readStart(`${this.#path}.idx`, indexBytes);
      const heads = [
        ...readEntries(content)
          .filter(isWanted)
          .map(({ head }) => head),
      ];
      freeBuffers([content]);
      return heads;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Opens this log segment (a pair of log files) for reading. Returns `null` if its files were deleted. */
  async open(): Promise<SegmentReader | null> {
    try {
      return new SegmentReader(await open(`${this.#path}.log`, 'r'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * Deletes the two files of the log segment, the `.log` file first. If a crash leaves only the `.idx` file, the next
   * start ignores the `.idx` file.
   */
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
      // The block is not valid, because its decompression failed.
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

  /**
   * Reads a block of log lines.
   * @throws Error if the bytes are damaged
   */
  async block(head: BlockHead): Promise<Chunk> {
    const packed = Buffer.allocUnsafeSlow(head.bytes);
    try {
      await this.#handle.read(packed, 0, head.bytes, head.offset);
      return await unpackBlock(packed, head);
    } finally {
      freeBuffers([packed]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

type StoredHead = BlockHead & { short: number; long: number };
type ReadEntry = Entry & { length: number };

/**
 * Returns the entries of a log index up to the first invalid entry. The Bloom filters of the entries use the memory of
 * `content`. Do not free `content` before the entries.
 */
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
