/**
 * Detects damage in a SQLite write-ahead log. SQLite silently ignores all frames after the first invalid frame, even if
 * they are committed.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/**
 * First four bytes of a SQLite write-ahead log without their last bit. The last bit specifies the byte order of the
 * checksums.
 */
const MAGIC = 0x377f0682;
const PAGE_BYTES = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536];

type Sum = readonly [number, number];

interface Header {
  bigEndian: boolean;
  pageBytes: number;
  /**
   * Two random numbers (salts) in the header of the write-ahead log and in each valid frame. SQLite changes these
   * numbers when it starts again at the beginning of the log.
   */
  salts: Buffer;
  sum: Sum;
}

/**
 * Returns whether a SQLite write-ahead log has lost committed transactions. Empty the write-ahead log at each start.
 * Otherwise, old damage would be found again.
 */
export function isWalDamaged(path: string): boolean {
  const file = open(path);
  if (file === null) return false;
  try {
    const first = read(file, 0, HEADER_BYTES);
    // SQLite writes the header of the write-ahead log first. If the header is incomplete, the log contains no data yet.
    if (first.length < HEADER_BYTES) return false;
    const header = readHeader(first);
    if (header === null) return read(file, HEADER_BYTES, FRAME_HEADER_BYTES).length === FRAME_HEADER_BYTES;
    // After a power loss, damage in the last transaction is normal, because this transaction was not yet on the disk.
    return losesCommits(file, header);
  } finally {
    closeSync(file);
  }
}

function losesCommits(file: number, header: Header): boolean {
  const frameBytes = FRAME_HEADER_BYTES + header.pageBytes;
  let { sum } = header;
  let holds = true;
  let committed = false;
  for (let at = HEADER_BYTES; ; at += frameBytes) {
    const frame = read(file, at, frameBytes);
    if (frame.length < frameBytes) return false;
    const isOfThisLife = frame.subarray(8, 16).equals(header.salts);
    if (holds) {
      sum = addUp(
        addUp(sum, frame.subarray(0, 8), header.bigEndian),
        frame.subarray(FRAME_HEADER_BYTES),
        header.bigEndian,
      );
      holds = isOfThisLife && frame.readUInt32BE(16) === sum[0] && frame.readUInt32BE(20) === sum[1];
    }
    if (holds || !isOfThisLife) continue;
    if (committed) return true;
    /*
     * In the last frame of a transaction, bytes 4 to 7 contain the database size. In all other frames, these bytes are
     * 0.
     */
    committed = frame.readUInt32BE(4) !== 0;
  }
}

function readHeader(bytes: Buffer): Header | null {
  const magic = bytes.readUInt32BE(0);
  const pageBytes = bytes.readUInt32BE(8);
  const bigEndian = (magic & 1) === 1;
  if ((magic & ~1) !== MAGIC || !PAGE_BYTES.includes(pageBytes)) return null;
  const sum = addUp([0, 0], bytes.subarray(0, 24), bigEndian);
  if (bytes.readUInt32BE(24) !== sum[0] || bytes.readUInt32BE(28) !== sum[1]) return null;
  return { bigEndian, pageBytes, salts: bytes.subarray(16, 24), sum };
}

/**
 * Returns the checksum of a section of a SQLite write-ahead log. The checksum is computed over pairs of 32-bit words.
 */
function addUp([one, two]: Sum, bytes: Buffer, bigEndian: boolean): Sum {
  let a = one;
  let b = two;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

function open(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Reads bytes from a file. The result is shorter than `length` only if the file ends earlier. */
function read(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const more = readSync(file, bytes, got, length - got, at + got);
    if (more === 0) break;
    got += more;
  }
  return bytes.subarray(0, got);
}
