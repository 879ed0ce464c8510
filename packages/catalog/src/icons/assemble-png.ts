import { crc32 } from 'node:zlib';
import type { CleanPng } from './clean-png.ts';

/** Length in bytes of a PNG chunk without its data: length field, type and checksum. */
const CHUNK_OVERHEAD = 12;

/** Creates a PNG file from a cleaned image. The image no longer contains text chunks and other optional data. */
export function assemblePng({ head, pixels }: CleanPng): Buffer {
  return Buffer.concat([head, chunk('IDAT', pixels), chunk('IEND', new Uint8Array())]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(data.length + CHUNK_OVERHEAD);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}
