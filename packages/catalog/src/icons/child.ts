/**
 * Child process that decodes and encodes icons, so that a malicious image can damage only this process. The process
 * ends when its parent closes the IPC channel.
 */
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { assemblePng } from './assemble-png.ts';
import type { CleanPng } from './clean-png.ts';
import type { EncodeAnswer, EncodeRequest } from './messages.ts';

/** Maximum number of pixels of an icon. Decoding an image with more pixels could need too much memory. */
const MAX_PIXELS = 1024 * 1024;

sharp.concurrency(1);
sharp.cache(false);
// The image library libvips has decoders for many formats. Icons are untrusted, so only the PNG decoder is allowed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng'] });

async function encode(icon: CleanPng): Promise<EncodeAnswer> {
  try {
    const { length } = inflateSync(icon.pixels, { maxOutputLength: icon.inflated });
    if (length !== icon.inflated) return { kind: 'refused', reason: 'the image has fewer pixels than its header says' };
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'warning' } as const;
    const png = await sharp(assemblePng(icon), options)
      .png({ compressionLevel: 4, adaptiveFiltering: true, progressive: false })
      .toBuffer();
    return { kind: 'encoded', png };
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error as NodeJS.ErrnoException) };
  }
}

/** Returns the reason why an icon could not be encoded, as one line of text for the author of the icon. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'the image has more pixels than its header says';
  return message.trim().split('\n', 1)[0] ?? message;
}

function answer(message: EncodeAnswer): void {
  process.send?.(message);
}

process.on('message', ({ icon }: EncodeRequest) => void encode(icon).then(answer));
process.on('disconnect', () => process.exit());
answer({ kind: 'ready' });
