import { crc32 } from 'node:zlib';
import { readPngHeader } from '@davit/template';

const SIGNATURE_BYTES = 8;
/** Length in bytes of a PNG chunk without its data: length field, type and checksum. */
const CHUNK_OVERHEAD = 12;
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const GREY = 0;
const COLOUR = 2;
const PALETTE = 3;
/**
 * The seven passes of an interlaced PNG image (Adam7). Each pass has the x and y of its first pixel, and the horizontal
 * and vertical distance between pixels.
 */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export interface CleanPng {
  /** All bytes of the PNG file before the pixel data. */
  head: Uint8Array;
  /** Compressed pixel data of the PNG image. A PNG file can split it into several chunks. */
  pixels: Uint8Array;
  /** Exact size in bytes of the PNG image's uncompressed pixel data. */
  inflated: number;
}

interface Chunk {
  type: string;
  data: Uint8Array;
  whole: Uint8Array;
}

/**
 * Removes optional chunks from a PNG image. Does not check the compressed pixel data.
 * @returns `null` if the image is animated, or if a chunk is damaged, misplaced, or unknown but required
 */
export function cleanPng(bytes: Uint8Array): CleanPng | null {
  const header = readPngHeader(bytes);
  const chunks = header && !header.isAnimated ? chunksOf(bytes) : null;
  if (header === null || chunks === null || !isInOrder(chunks)) return null;
  const [first, ...rest] = chunks;
  const [depth = 0, colour = 0, , , interlace = 0] = first?.data.subarray(8) ?? [];
  const kept = rest.filter(({ type }) => type === 'PLTE' || type === 'tRNS');
  if (first === undefined || !isColouringRight(kept, colour, depth)) return null;
  const pixels = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const bits = (CHANNELS[colour] ?? 0) * depth;
  return {
    head: Buffer.concat([bytes.subarray(0, SIGNATURE_BYTES), first.whole, ...kept.map(({ whole }) => whole)]),
    pixels: Buffer.concat(pixels),
    inflated: inflatedBytes(header.width, header.height, bits, interlace === 1),
  };
}

/**
 * Returns all chunks of a PNG file. Returns `null` if a chunk is incomplete or has a wrong checksum, or if bytes follow
 * the last chunk.
 */
function chunksOf(bytes: Uint8Array): Chunk[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_OVERHEAD <= bytes.length) {
    const end = at + CHUNK_OVERHEAD + view.getUint32(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return null;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    at = end;
  }
  return at === bytes.length ? chunks : null;
}

/**
 * Returns whether PNG chunks are in the required order: header, palette, contiguous pixel data, end. Unknown chunks are
 * ignored if they are not critical.
 */
function isInOrder(chunks: readonly Chunk[]): boolean {
  const types = chunks.map(({ type }) => type);
  const needed = types.filter((type) => /^[A-Z]/.test(type));
  const order = needed.filter((type, at) => type !== 'IDAT' || needed[at - 1] !== 'IDAT').join(' ');
  const isOneRun = types.lastIndexOf('IDAT') - types.indexOf('IDAT') + 1 === types.filter((t) => t === 'IDAT').length;
  const isAnimated = types.some((type) => ['acTL', 'fcTL', 'fdAT'].includes(type));
  const areTypes = types.every((type) => /^[A-Za-z]{4}$/.test(type));
  const isEmptyAtItsEnd = types.at(-1) === 'IEND' && chunks.at(-1)?.data.length === 0;
  const isTransparencyFirst = types.indexOf('tRNS') < types.indexOf('IDAT');
  const isKnown = order === 'IHDR IDAT IEND' || order === 'IHDR PLTE IDAT IEND';
  return isKnown && isOneRun && !isAnimated && areTypes && isEmptyAtItsEnd && isTransparencyFirst;
}

function isColouringRight(kept: readonly Chunk[], colour: number, depth: number): boolean {
  const [palette, secondPalette] = kept.filter(({ type }) => type === 'PLTE');
  const [transparency, secondTransparency] = kept.filter(({ type }) => type === 'tRNS');
  if (secondPalette || secondTransparency) return false;
  const colours = (palette?.data.length ?? 0) / 3;
  if (colour === PALETTE ? colours < 1 || colours > 2 ** depth : palette && ![COLOUR, 6].includes(colour)) return false;
  if (!Number.isInteger(colours) || colours > 256) return false;
  if (transparency === undefined) return true;
  if (colour === PALETTE) return kept[0] === palette && transparency.data.length <= colours;
  return transparency.data.length === { [GREY]: 2, [COLOUR]: 6 }[colour];
}

/**
 * Returns the size in bytes of the uncompressed pixel data of a PNG image. Each pixel row starts with a filter byte and
 * is rounded up to whole bytes.
 */
function inflatedBytes(width: number, height: number, bits: number, isInterlaced: boolean): number {
  const part = (columns: number, lines: number) => (columns > 0 ? lines * (1 + Math.ceil((columns * bits) / 8)) : 0);
  if (!isInterlaced) return part(width, height);
  const passes = ADAM7.map(([x, y, dx, dy]) => part(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)));
  return passes.reduce((sum, bytes) => sum + bytes, 0);
}
