/**
 * File with the newest log lines of an app. Davit later compresses these lines into a block. Checksums detect
 * incomplete writes.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { copyOf, freeBuffers } from '../../adapters/engine/free-buffers.ts';
import type { LogBatch } from '../../adapters/engine/logs.ts';
import { type Chunk, freeChunks, joinChunks, type Source } from './chunk.ts';
import { bytesOf, ColumnReader, numberBytes } from './columns.ts';
import { readStart } from './read-start.ts';
import { writeAll } from './write-all.ts';

const MAGIC = Buffer.from('DVT1');
const HEADER_BYTES = 8;
const FRAME_HEADER_BYTES = 8;

/** Log lines of one container, and the position in the container's log after these lines. */
export interface TailFrame {
  source: Source;
  key: string;
  position: string;
  first: number;
  batch: Pick<LogBatch, 'count' | 'seconds' | 'nanos' | 'stderr' | 'text'>;
}

interface FrameHead {
  i: string;
  d: number;
  k: string;
  p: string;
  f: number;
  n: number;
}

export class TailFile {
  readonly #path: string;
  #handle: FileHandle | null = null;
  /**
   * Number of the block in which Davit will save the lines of this file. If the file contains an earlier number after a
   * crash, the file is ignored, because the block already exists.
   */
  #life: number;
  #bytes: number;
  #size = 0;
  /**
   * Whether the file may have invalid data after its last valid line. This is possible after a failed write, or if new
   * lines overwrote only a part of the old lines.
   */
  #mayHaveMore = true;

  private constructor(path: string, life: number, bytes: number) {
    this.#path = path;
    this.#life = life;
    this.#bytes = bytes;
  }

  /**
   * Opens the tail file of an app's log and returns its log lines. Incomplete writes and lines of earlier blocks are
   * omitted.
   * @param life number of the block in which the lines will be saved
   */
  static async open(path: string, life: number): Promise<{ tail: TailFile; frames: TailFrame[] }> {
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    const { frames, bytes } = readFrames(content, life);
    return { tail: new TailFile(path, life, bytes), frames };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Size of the tail file on disk, in bytes. After the lines were compressed into a block, the size does not change
   * until new lines overwrite the file.
   */
  get size(): number {
    return Math.max(this.#size, this.#bytes);
  }

  /**
   * Appends groups of log lines (frames) to the file without a sync to disk. If the write fails, the earlier groups in
   * the file stay valid.
   */
  async append(frames: readonly TailFrame[]): Promise<void> {
    this.#handle ??= await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const header = this.#bytes === 0 ? [MAGIC, numberBytes(this.#life)] : [];
    const bytes = copyOf(...header, ...frames.flatMap((frame) => frameBytes(frame, this.#life)));
    if (this.#mayHaveMore) await this.#handle.truncate(this.#bytes);
    this.#size = 0;
    this.#mayHaveMore = true;
    const { length } = bytes;
    await writeAll(this.#handle, bytes, this.#bytes);
    freeBuffers([bytes]);
    this.#mayHaveMore = false;
    this.#bytes += length;
  }

  /** Returns a copy of all log lines in the tail file as one chunk. */
  async joined(): Promise<Chunk> {
    const content = this.#bytes === 0 ? Buffer.alloc(0) : await readStart(this.#path, this.#bytes);
    const { frames } = readFrames(content, this.#life);
    const chunks = frames.map(chunkOfFrame);
    const joined = joinChunks(chunks);
    freeChunks(chunks);
    freeBuffers([content, ...frames.map(({ batch }) => batch.stderr)]);
    return joined;
  }

  /**
   * Marks the tail file as empty, after its lines were saved as a block. The next write overwrites the old lines in the
   * file.
   * @param life number of the block for the next lines
   */
  begin(life: number): void {
    this.#life = life;
    this.#size = this.#bytes;
    this.#bytes = 0;
    this.#mayHaveMore = true;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }
}

function frameBytes({ source, key, position, first, batch }: TailFrame, life: number): Buffer[] {
  const { replica, deployment } = source;
  const head: FrameHead = { i: replica, d: deployment, k: key, p: position, f: first, n: batch.count };
  const headText = Buffer.from(JSON.stringify(head));
  const columns = [batch.seconds, batch.nanos, batch.stderr].map(bytesOf);
  const payload = [numberBytes(headText.length), headText, ...columns, batch.text];
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  /*
   * Include the block number in the checksum. So the remaining lines of an earlier block in the file have invalid
   * checksums.
   */
  const checksum = payload.reduce((sum, part) => crc32(part, sum), life);
  return [numberBytes(length), numberBytes(checksum), ...payload];
}

function readFrames(content: Buffer, life: number): { frames: TailFrame[]; bytes: number } {
  const isOurs = content.length >= HEADER_BYTES && content.subarray(0, 4).equals(MAGIC);
  if (!isOurs || content.readUInt32LE(4) !== life) return { frames: [], bytes: 0 };
  const frames: TailFrame[] = [];
  let at = HEADER_BYTES;
  while (at + FRAME_HEADER_BYTES <= content.length) {
    const start = at + FRAME_HEADER_BYTES;
    const end = start + content.readUInt32LE(at);
    if (end > content.length) break;
    const payload = content.subarray(start, end);
    if (crc32(payload, life) !== content.readUInt32LE(at + 4)) break;
    frames.push(readFrame(payload));
    at = end;
  }
  return { frames, bytes: at };
}

function readFrame(payload: Buffer): TailFrame {
  const reader = new ColumnReader(payload);
  const { i, d, k, p, f, n } = JSON.parse(reader.bytes(reader.number()).toString()) as FrameHead;
  const batch = {
    count: n,
    seconds: reader.fill(new Uint32Array(n)),
    nanos: reader.fill(new Uint32Array(n)),
    stderr: reader.fill(new Uint8Array(n)),
    text: reader.rest(),
  };
  return { source: { replica: i, deployment: d }, key: k, position: p, first: f, batch };
}

export function chunkOfFrame({ source, first, batch }: TailFrame): Chunk {
  const { count, seconds, nanos, stderr, text } = batch;
  return { first, count, seconds, nanos, origins: new Uint16Array(stderr), table: [source], text };
}
