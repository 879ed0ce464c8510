/**
 * Bloom filter: a small bit set that shows which byte sequences a block of log lines may contain. A search skips a
 * block if the filter does not contain a sequence of the search text. For short words, the filter contains sequences of
 * three bytes. It also contains sequences of six bytes, because almost every block contains all numbers with three
 * digits.
 */
import { freeBuffers } from '../../adapters/engine/free-buffers.ts';
import { LINE_FEED } from './chunk.ts';

export interface Sketch {
  short: Buffer;
  long: Buffer;
}

const SHORT = 3;
const LONG = 6;
/**
 * Sizes of the Bloom filters for three-byte and six-byte sequences, as powers of two. For example, 14 means 2^14 bits.
 */
const SHORT_BITS = 14;
const LONG_BITS = 17;
const LEAST_BYTES = 8;
/**
 * Limit for the fraction of set bits in a Bloom filter. Below this limit, Davit stores the filter at half its size. The
 * smaller filter saves space and is still accurate enough.
 */
const SPARSE = 0.2;

/**
 * Returns the Bloom filter of a text.
 * @param folded text in lower case, with a line feed after each line
 */
export function sketchOf(folded: Buffer): Sketch {
  const short = Buffer.alloc(2 ** SHORT_BITS / 8);
  const long = Buffer.alloc(2 ** LONG_BITS / 8);
  let run = 0;
  /*
   * `gram` is the value of the last three bytes. `one`, `two` and `three` are the values of `gram` one, two and three
   * bytes earlier.
   */
  let gram = 0;
  let [one, two, three] = [0, 0, 0];
  for (let i = 0; i < folded.length; i += 1) {
    const byte = folded[i] ?? 0;
    if (byte === LINE_FEED) {
      run = 0;
      continue;
    }
    run += 1;
    three = two;
    two = one;
    one = gram;
    gram = ((gram << 8) | byte) & 0xffffff;
    if (run < SHORT) continue;
    set(short, shortHash(gram));
    if (run >= LONG) set(long, longHash(three, gram));
  }
  return { short: halved(short), long: halved(long) };
}

/**
 * Hashes of all three-byte and six-byte sequences of a search text. They are computed once per search, and then
 * compared with the Bloom filter of each log block.
 */
export interface Grams {
  short: number[];
  long: number[];
}

export function gramsOf(needle: Buffer): Grams {
  const at = (i: number) => ((needle[i] ?? 0) << 16) | ((needle[i + 1] ?? 0) << 8) | (needle[i + 2] ?? 0);
  const short = new Set<number>();
  const long = new Set<number>();
  for (let i = 0; i + SHORT <= needle.length; i += 1) short.add(shortHash(at(i)));
  for (let i = 0; i + LONG <= needle.length; i += 1) long.add(longHash(at(i), at(i + SHORT)));
  return { short: [...short], long: [...long] };
}

/**
 * Returns whether a text may contain the search text, according to the text's Bloom filter. `false` is always correct,
 * but `true` may be wrong.
 */
export function mayContain({ short, long }: Sketch, grams: Grams): boolean {
  return grams.long.every((hash) => has(long, hash)) && grams.short.every((hash) => has(short, hash));
}

function shortHash(gram: number): number {
  const hash = Math.imul(gram, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function longHash(before: number, gram: number): number {
  const hash = Math.imul(Math.imul(before, 0x85ebca6b) ^ gram, 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Sets a bit of a Bloom filter. The lower bits of the hash are the position of the bit, because the size of each filter
 * is a power of two.
 */
function set(bits: Buffer, hash: number): void {
  const bitIndex = hash & (bits.length * 8 - 1);
  bits[bitIndex >> 3] = (bits[bitIndex >> 3] ?? 0) | (1 << (bitIndex & 7));
}

function has(bits: Buffer, hash: number): boolean {
  const bitIndex = hash & (bits.length * 8 - 1);
  return ((bits[bitIndex >> 3] ?? 0) & (1 << (bitIndex & 7))) !== 0;
}

function halved(bits: Buffer): Buffer {
  if (bits.length <= LEAST_BYTES || ones(bits) > bits.length * 8 * SPARSE) return bits;
  const half = bits.length / 2;
  const folded = Buffer.alloc(half);
  for (let i = 0; i < half; i += 1) folded[i] = (bits[i] ?? 0) | (bits[i + half] ?? 0);
  freeBuffers([bits]);
  return halved(folded);
}

function ones(bits: Buffer): number {
  let count = 0;
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
