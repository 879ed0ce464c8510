import { z } from 'zod';

/**
 * Error for an encrypted backup that cannot be read. The backup is incomplete, was changed, or belongs to another
 * instance.
 */
export class EnvelopeBroken extends Error {
  override name = 'EnvelopeBroken';
}

/**
 * Unencrypted header of an encrypted backup. The header can be read without a key. If the header was changed, the
 * backup cannot be decrypted.
 */
export const EnvelopeHeader = z.object({
  format: z.literal(1),
  keyId: z.string().max(64),
  /** Salt for the encryption key of this backup, in base64url. */
  salt: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  chunkBytes: z
    .int()
    .min(1_024)
    .max(4 * 1024 * 1024),
  /**
   * Description of the backup, such as its database. The instance that created the backup also wrote the description.
   */
  about: z.record(z.string().max(100), z.string().max(500)),
});
export type EnvelopeHeader = z.infer<typeof EnvelopeHeader>;

export const MAGIC = Buffer.from('DAVITBAK');
const MAX_HEADER_BYTES = 64 * 1024;

/** Returns the first bytes of an encrypted backup: magic bytes, length of the header, and the header as JSON. */
export function writeHeader(header: EnvelopeHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([MAGIC, length, json]);
}

/**
 * Reads the header of an encrypted backup.
 * @returns the parsed header and its original bytes
 * @throws EnvelopeBroken
 */
export async function readHeader(take: (bytes: number) => Promise<Buffer>): Promise<[EnvelopeHeader, Buffer]> {
  // Copy the first bytes of the header, because the next call of `take` overwrites their memory.
  const start = Buffer.from(await take(MAGIC.length + 4));
  if (start.length < MAGIC.length + 4 || !start.subarray(0, MAGIC.length).equals(MAGIC))
    throw new EnvelopeBroken('the stored data does not have the format of a Davit backup');
  const length = start.readUInt32BE(MAGIC.length);
  if (length > MAX_HEADER_BYTES) throw new EnvelopeBroken('the header of the backup is too large');
  const json = await take(length);
  if (json.length < length) throw new EnvelopeBroken('the header of the backup is incomplete');
  return [parse(json), Buffer.concat([start, json])];
}

function parse(json: Buffer): EnvelopeHeader {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json.toString('utf8'));
  } catch (cause) {
    throw new EnvelopeBroken('the header of the backup cannot be read', { cause });
  }
  const header = EnvelopeHeader.safeParse(parsed);
  if (!header.success)
    throw new EnvelopeBroken('the header of the backup has a version that this Davit version does not support');
  return header.data;
}
