import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export interface PngOptions {
  side?: number;
  width?: number;
  height?: number;
  /** PNG color type: 0 gray, 2 color, 3 palette, 4 gray with alpha, 6 color with alpha. */
  colour?: number;
  depth?: number;
  isInterlaced?: boolean;
  /** Seed of the random pixels. The same seed creates the same image. */
  seed?: number;
  /** Additional chunks between the header and the pixel data, and between the pixel data and the end. */
  before?: Buffer[];
  after?: Buffer[];
  /** Uncompressed pixel data that replaces the generated pixels. */
  raw?: Buffer;
  /** Chunks that replace the compressed pixel data. */
  pixels?: Buffer[];
}

export function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

export function head({ side = 256, width = side, height = side, colour = 6, depth = 8, isInterlaced }: PngOptions) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
}

/** Returns the uncompressed lines of pixels of an image. The image differs for each seed. */
export function rawPixels({ side = 256, width = side, height = side, colour = 6, depth = 8, seed = 1 }: PngOptions) {
  const line = Math.ceil((width * (CHANNELS[colour] ?? 1) * depth) / 8);
  const raw = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 1; x <= line; x += 1) raw[y * (line + 1) + x] = ((x >> 3) * seed + (y >> 2) * 7 + seed) & 0xff;
  }
  return raw;
}

/** Returns a PNG file that is valid unless an option makes it invalid. */
export function makePng(options: PngOptions = {}): Buffer {
  const { before = [], after = [], pixels } = options;
  const data = pixels ?? [chunk('IDAT', deflateSync(options.raw ?? rawPixels(options), { level: 6 }))];
  return Buffer.concat([SIGNATURE, head(options), ...before, ...data, ...after, chunk('IEND')]);
}
