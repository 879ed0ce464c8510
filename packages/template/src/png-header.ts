/** Data in the header of a PNG image, which can be read without decoding the image. */
export interface PngHeader {
  width: number;
  height: number;
  isAnimated: boolean;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Map from PNG color type to the allowed bits per channel. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * Reads the header of a PNG file without decoding the image. Therefore, even a malicious file is read fast.
 * @returns `null` for an invalid header
 */
export function readPngHeader(bytes: Uint8Array): PngHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = SIGNATURE.every((byte, index) => bytes[index] === byte);
  if (!isPng || bytes.length < 33 || view.getUint32(8) !== 13 || typeAt(bytes, 12) !== 'IHDR') return null;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, colour, compression, filter, interlace] = bytes.subarray(24, 29);
  const isKnown = DEPTHS[colour ?? -1]?.includes(depth ?? 0) && compression === 0 && filter === 0;
  if (width === 0 || height === 0 || !isKnown || (interlace ?? 2) > 1) return null;
  const chunks = chunksBeforePixels(bytes, view);
  return chunks === null ? null : { width, height, isAnimated: chunks.includes('acTL') };
}

/**
 * Returns the types of the PNG chunks between the header and the pixel data. Returns `null` if the file contains no
 * pixel data.
 */
function chunksBeforePixels(bytes: Uint8Array, view: DataView): string[] | null {
  const types: string[] = [];
  for (let at = 33; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = typeAt(bytes, at + 4);
    if (type === 'IDAT') return types;
    types.push(type);
  }
  return null;
}

function typeAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
