import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Sealer } from '../../../db/seal.ts';
import { openEnvelope, sealStream } from './envelope.ts';
import { EnvelopeBroken, MAGIC } from './header.ts';

const KEYS = new Sealer(Buffer.alloc(32, 7));
const CHUNK = 1_024;
const SEALED = CHUNK + 16;
const ABOUT = { database: 'shop/production/main', engine: 'postgres' };

async function* inPieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function seal(bytes: Uint8Array, pieces?: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(sealStream(inPieces(bytes, pieces), KEYS, ABOUT, CHUNK)));
}

async function open(sealed: Uint8Array, keys = KEYS, pieces?: number): Promise<Buffer> {
  const { plain } = await openEnvelope(inPieces(sealed, pieces), keys);
  return Buffer.concat(await Array.fromAsync(plain));
}

/** Returns the offset of the first chunk. */
function bodyOf(sealed: Buffer): number {
  return MAGIC.length + 4 + sealed.readUInt32BE(MAGIC.length);
}

describe('the backup envelope', () => {
  for (const bytes of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 5 * CHUNK + 17]) {
    it(`restores ${bytes} bytes regardless of the size of the pieces`, async () => {
      const plain = randomBytes(bytes);
      for (const pieces of [7, 1_000, 100_000]) {
        assert.deepEqual(await open(await seal(plain, pieces), KEYS, pieces + 3), plain);
      }
    });
  }

  it('contains the database’s name in plain text but not the content', async () => {
    const sealed = await seal(Buffer.from('the secret of the shop'));

    assert.ok(sealed.includes('shop/production/main'));
    assert.ok(!sealed.includes('secret'));
  });

  it('is refused if the end of the file is missing', async () => {
    const sealed = await seal(randomBytes(3 * CHUNK));
    const body = bodyOf(sealed);
    const lengths = [0, 4, MAGIC.length, body - 1, body, body + 1, body + SEALED, body + 2 * SEALED, sealed.length - 1];

    for (const length of lengths) await assert.rejects(open(sealed.subarray(0, length)), EnvelopeBroken, `${length}`);
  });

  it('is refused if any byte has changed', async () => {
    const sealed = await seal(randomBytes(2 * CHUNK + 100));

    for (let at = 0; at < sealed.length; at += 13) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      await assert.rejects(open(changed), EnvelopeBroken, `byte ${at}`);
    }
  });

  it('is refused with swapped, missing, repeated or additional chunks', async () => {
    const sealed = await seal(randomBytes(3 * CHUNK));
    const body = bodyOf(sealed);
    const head = sealed.subarray(0, body);
    const [a, b, c] = [0, 1, 2].map((n) => sealed.subarray(body + n * SEALED, body + (n + 1) * SEALED)) as [
      Buffer,
      Buffer,
      Buffer,
    ];

    for (const chunks of [
      [b, a, c],
      [a, c],
      [b, c],
      [a, b, b, c],
      [a, b, c, c],
      [a, b, c, Buffer.from('x')],
    ]) {
      await assert.rejects(open(Buffer.concat([head, ...chunks])), EnvelopeBroken);
    }
  });

  it('refuses a chunk of another backup with the same content', async () => {
    const plain = randomBytes(2 * CHUNK);
    const [one, other] = [await seal(plain), await seal(plain)];
    const body = bodyOf(one);

    const mixed = Buffer.concat([one.subarray(0, body + SEALED), other.subarray(body + SEALED)]);

    await assert.rejects(open(mixed), EnvelopeBroken);
  });

  it('names the required key if the instance has another key', async () => {
    const sealed = await seal(randomBytes(10));

    await assert.rejects(open(sealed, new Sealer(Buffer.alloc(32, 8))), { message: new RegExp(KEYS.keyId) });
  });

  it('closes its source if the reader stops', async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield randomBytes(CHUNK);
      } finally {
        isClosed = true;
      }
    }

    const sealed = sealStream(endless(), KEYS, ABOUT, CHUNK);
    for (let n = 0; n < 3; n += 1) await sealed.next();
    await sealed.return(undefined);

    assert.ok(isClosed);
  });

  it('fails with the error of its source', async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield randomBytes(CHUNK);
      throw new Error('the tool failed');
    }

    await assert.rejects(Array.fromAsync(sealStream(breaking(), KEYS, ABOUT, CHUNK)), { message: 'the tool failed' });
  });
});
