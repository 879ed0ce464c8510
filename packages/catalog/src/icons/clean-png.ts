import { crc32 } from 'node:zlib';
import { readPngHeader } from '@davit/template';

const SIGNATURE_BYTES = 8;
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_OVERHEAD = 12;
/** Number of samples of a pixel for each color type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const GREY = 0;
const COLOUR = 2;
const PALETTE = 3;
/** Coordinates of the first pixel, and distances between pixels, for each pass of an interlaced image. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A PNG that contains only what is necessary to show its image. */
export interface CleanPng {
  /** All bytes before the pixels. */
  head: Uint8Array;
  /** Compressed pixels in one piece. */
  pixels: Uint8Array;
  /** Exact number of bytes of the uncompressed pixels. */
  inflated: number;
}

interface Chunk {
  type: string;
  data: Uint8Array;
  whole: Uint8Array;
}

/**
 * Reads all chunks of a PNG and keeps only what its image needs. Text, profiles, times and other hidden data are
 * removed. Nothing is decompressed.
 * @returns `null` if a chunk is damaged, misplaced or unknown but critical, if there is more than one image, or if data
 * follows the PNG
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

/** Returns all chunks up to the last byte, or `null` if a chunk is cut off or has a wrong checksum. */
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
 * Checks the order of the chunks: header, colors, contiguous pixels, end. Unknown chunks may be anywhere, unless they
 * are critical.
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
 * Returns the size of the uncompressed pixels. A line is one byte for its filter, and its pixels rounded up to whole
 * bytes.
 */
function inflatedBytes(width: number, height: number, bits: number, isInterlaced: boolean): number {
  const part = (columns: number, lines: number) => (columns > 0 ? lines * (1 + Math.ceil((columns * bits) / 8)) : 0);
  if (!isInterlaced) return part(width, height);
  const passes = ADAM7.map(([x, y, dx, dy]) => part(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)));
  return passes.reduce((sum, bytes) => sum + bytes, 0);
}
