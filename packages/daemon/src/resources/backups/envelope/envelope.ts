/**
 * The encrypted envelope of a backup: a header, then chunks of AES-256-GCM, each under a nonce that has its number and
 * whether it is the last one. So no chunk can be changed, left out, doubled, moved or taken from another backup, and a
 * backup that was cut off at the end of a chunk is told from a whole one. No more than two chunks are ever in memory.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ByteReader } from './byte-reader.ts';
import { EnvelopeBroken, type EnvelopeHeader, readHeader, writeHeader } from './header.ts';

const CHUNK_BYTES = 256 * 1024;
const TAG_BYTES = 16;
/** Of a nonce: as many as leave no number to be used twice. */
const MOST_CHUNKS = 2 ** 32;

/** The keys of one instance: each backup has its own, made from the master key. */
export interface EnvelopeKeys {
  readonly keyId: string;
  /** 32 bytes. */
  derive(salt: Buffer, purpose: string): Buffer;
}

const PURPOSE = 'davit backup v1';

/** Seals what a source gives, as it comes. */
export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  keys: EnvelopeKeys,
  about: EnvelopeHeader['about'],
  chunkBytes: number = CHUNK_BYTES,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(32);
  const header = writeHeader({ format: 1, keyId: keys.keyId, salt: salt.toString('base64url'), chunkBytes, about });
  const key = keys.derive(salt, PURPOSE);
  const aad = digest(header);
  const reader = new ByteReader(source);
  try {
    yield header;
    let chunk = await reader.take(chunkBytes);
    for (let n = 0; ; n += 1) {
      if (n >= MOST_CHUNKS) throw new Error('the backup is larger than an envelope can be');
      // Only by looking at what follows it is known whether this is the last one.
      const next = chunk.length < chunkBytes ? Buffer.alloc(0) : await reader.take(chunkBytes);
      const isLast = next.length === 0;
      yield* sealChunk(chunk, key, nonceOf(n, isLast), aad);
      if (isLast) return;
      chunk = next;
    }
  } finally {
    await reader.close();
  }
}

export interface OpenedEnvelope {
  header: EnvelopeHeader;
  /** What was sealed. It throws {@link EnvelopeBroken} instead of ending where that is not whole. */
  plain: AsyncGenerator<Uint8Array>;
}

/** @throws EnvelopeBroken for what is no backup, and for one that another master key has sealed */
export async function openEnvelope(source: AsyncIterable<Uint8Array>, keys: EnvelopeKeys): Promise<OpenedEnvelope> {
  const reader = new ByteReader(source);
  try {
    const [header, written] = await readHeader((bytes) => reader.take(bytes));
    if (header.keyId !== keys.keyId)
      throw new EnvelopeBroken(
        `it was sealed under another master key (${header.keyId}): it takes that one to open it`,
      );
    const key = keys.derive(Buffer.from(header.salt, 'base64url'), PURPOSE);
    return { header, plain: openChunks(reader, key, digest(written), header.chunkBytes) };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

async function* openChunks(
  reader: ByteReader,
  key: Buffer,
  aad: Buffer,
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  const sealedBytes = chunkBytes + TAG_BYTES;
  try {
    let sealed = await reader.take(sealedBytes);
    for (let n = 0; ; n += 1) {
      const next = sealed.length < sealedBytes ? Buffer.alloc(0) : await reader.take(sealedBytes);
      const isLast = next.length === 0;
      yield openChunk(sealed, key, nonceOf(n, isLast), aad);
      if (isLast) return;
      sealed = next;
    }
  } finally {
    await reader.close();
  }
}

function* sealChunk(plain: Buffer, key: Buffer, nonce: Buffer, aad: Buffer): Generator<Buffer> {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(aad);
  yield cipher.update(plain);
  cipher.final();
  yield cipher.getAuthTag();
}

function openChunk(sealed: Buffer, key: Buffer, nonce: Buffer, aad: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new EnvelopeBroken('it is cut off');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    // Nothing of it is given away before the whole of it is known to be right.
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch (cause) {
    throw new EnvelopeBroken('it is cut off or was changed', { cause });
  }
}

/** Never the same twice under one key: each backup has a key of its own, and each chunk a number. */
function nonceOf(n: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(n, 4);
  nonce.writeUInt8(isLast ? 1 : 0, 8);
  return nonce;
}

function digest(header: Buffer): Buffer {
  return createHash('sha256').update(header).digest();
}
