import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export interface PngOptions {
  side?: number;
  width?: number;
  height?: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  colour?: number;
  depth?: number;
  isInterlaced?: boolean;
  /** The same seed makes the same picture. */
  seed?: number;
  /** Chunks between the head and the pixels, and between them and the end. */
  before?: Buffer[];
  after?: Buffer[];
  /** What is compressed instead of the pixels. */
  raw?: Buffer;
  /** What is put into the file instead of what was compressed. */
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

/** Lines of pixels as they are before compression: a soft picture that no two seeds share. */
export function rawPixels({ side = 256, width = side, height = side, colour = 6, depth = 8, seed = 1 }: PngOptions) {
  const line = Math.ceil((width * (CHANNELS[colour] ?? 1) * depth) / 8);
  const raw = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 1; x <= line; x += 1) raw[y * (line + 1) + x] = ((x >> 3) * seed + (y >> 2) * 7 + seed) & 0xff;
  }
  return raw;
}

/** A PNG, right in all that the options do not make wrong. */
export function makePng(options: PngOptions = {}): Buffer {
  const { before = [], after = [], pixels } = options;
  const data = pixels ?? [chunk('IDAT', deflateSync(options.raw ?? rawPixels(options), { level: 6 }))];
  return Buffer.concat([SIGNATURE, head(options), ...before, ...data, ...after, chunk('IEND')]);
}
