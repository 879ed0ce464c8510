import assert from 'node:assert/strict';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encodingFor, isWorthPacking, pack } from './encoding.ts';

test('encodingFor selects the encoding with the highest weight in Accept-Encoding', () => {
  const chosen = {
    '': 'identity',
    gzip: 'gzip',
    br: 'br',
    'gzip, deflate, br, zstd': 'br',
    GZIP: 'gzip',
    'x-gzip': 'gzip',
    'gzip;q=1.0, br;q=0.5': 'gzip',
    'br;q=0.5, gzip;q=0.5': 'br',
    'br;q=0, gzip;q=0': 'identity',
    'br;q=0, *': 'gzip',
    '*': 'br',
    '*;q=0': 'identity',
    '*;q=0, gzip': 'gzip',
    identity: 'identity',
    'identity, br;q=0.9': 'identity',
    'identity;q=0.5, gzip;q=0.8': 'gzip',
    'identity;q=0, gzip;q=0.001': 'gzip',
    'deflate, compress': 'identity',
    'gzip;q=2': 'identity',
    'gzip;q=-1': 'identity',
    'gzip;q=nonsense': 'identity',
    'gzip; q=0.5 ; x=1 , br ;q=0.4': 'gzip',
    ',,;q=1,': 'identity',
  } as const;
  for (const [accept, encoding] of Object.entries(chosen)) assert.equal(encodingFor(accept), encoding, accept);
  assert.equal(encodingFor(undefined), 'identity');
});

test('isWorthPacking accepts bodies of more than 1 KiB', () => {
  for (const [body, isWorth] of [
    ['x'.repeat(1_024), false],
    ['x'.repeat(1_025), true],
    ['é'.repeat(513), true],
    [Buffer.alloc(1_024), false],
    [Buffer.alloc(1_025), true],
  ] as const)
    assert.equal(isWorthPacking(body), isWorth);
});

test('pack compresses a body that the client can decompress', async () => {
  const body = Buffer.from('one line\n'.repeat(1_000));

  const [brotli, gzip] = [await pack(body, 'br'), await pack(body, 'gzip')];

  assert.deepEqual([brotliDecompressSync(brotli), gunzipSync(gzip)], [body, body]);
  assert.ok(brotli.length < body.length / 10 && gzip.length < body.length / 10);
});
