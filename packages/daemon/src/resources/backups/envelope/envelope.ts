/**
 * Encrypted file format of a backup. The file contains a header and then chunks that are encrypted with AES-256-GCM. At
 * most two chunks are in memory at the same time.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ByteReader } from './byte-reader.ts';
import { EnvelopeBroken, type EnvelopeHeader, readHeader, writeHeader } from './header.ts';

const CHUNK_BYTES = 256 * 1024;
const TAG_BYTES = 16;
/** Maximum number of chunks in a backup. Because of this limit, each chunk has a different nonce. */
const MOST_CHUNKS = 2 ** 32;

/** Derives the encryption keys of backups from the master key of the instance. Each backup has its own key. */
export interface EnvelopeKeys {
  readonly keyId: string;
  /** Derives a key of 32 bytes from the master key. */
  derive(salt: Buffer, purpose: string): Buffer;
}

const PURPOSE = 'davit backup v1';

/** Encrypts a stream of bytes as a backup. The result is the header, followed by the encrypted chunks. */
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
      if (n >= MOST_CHUNKS) throw new Error('the backup exceeds the maximum size of an encrypted backup');
      /*
       * Read the next chunk before the current chunk is encrypted. If there is no next chunk, the current chunk is the
       * last chunk.
       */
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
  /**
   * Decrypted content of a backup. If the encrypted backup is incomplete or was changed, the stream throws
   * `EnvelopeBroken`.
   */
  plain: AsyncGenerator<Uint8Array>;
}

/**
 * Reads the header of an encrypted backup, and returns the decrypted content of the backup as a stream.
 * @throws EnvelopeBroken if the source is no backup or was encrypted with another master key
 */
export async function openEnvelope(source: AsyncIterable<Uint8Array>, keys: EnvelopeKeys): Promise<OpenedEnvelope> {
  const reader = new ByteReader(source);
  try {
    const [header, written] = await readHeader((bytes) => reader.take(bytes));
    if (header.keyId !== keys.keyId)
      throw new EnvelopeBroken(
        `the backup was encrypted with another master key (${header.keyId}), which is required to decrypt it`,
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
  if (sealed.length < TAG_BYTES) throw new EnvelopeBroken('the data of the backup is incomplete');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    // AES-GCM must authenticate a decrypted chunk before the reader may get the chunk.
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return plain;
  } catch (cause) {
    throw new EnvelopeBroken('the data of the backup is incomplete or was changed', { cause });
  }
}

/**
 * Returns the AES-GCM nonce of a chunk. Each backup has its own key, and each chunk has its own number. So a nonce is
 * never used twice with the same key.
 */
function nonceOf(n: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  /*
   * The nonce contains the number of the chunk and whether the chunk is the last one. If a chunk is missing, repeated
   * or moved, the decryption fails.
   */
  nonce.writeUInt32BE(n, 4);
  nonce.writeUInt8(isLast ? 1 : 0, 8);
  return nonce;
}

function digest(header: Buffer): Buffer {
  return createHash('sha256').update(header).digest();
}
