import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createIconEncoder } from '../src/icons/icon-encoder.ts';
import { chunk, head, makePng, rawPixels, SIGNATURE } from './support/png.ts';

const TEXT = Buffer.from('Comment\0\0<script>alert(1)</script>');
const PALETTE = chunk('PLTE', Buffer.alloc(16 * 3, 90));
/** Returns 100 MB of data that is compressed to 100 KB. */
const bombData = () => deflateSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 });
/** Returns the uncompressed data of an interlaced image with `bits` bits per pixel. All bytes are zero. */
const interlaced = (side: number, bits: number) => {
  const part = (columns: number, lines: number) => lines * (1 + Math.ceil((columns * bits) / 8));
  const [half, quarter, eighth] = [side / 2, side / 4, side / 8];
  const first = part(eighth, eighth) * 2 + part(quarter, eighth) + part(quarter, quarter);
  return Buffer.alloc(first + part(half, quarter) + part(half, half) + part(side, half));
};

/** Overwrites the last four bytes, which contain a checksum. */
const damaged = (data: Buffer): Buffer => data.fill(0, data.length - 4);

const split = (data: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(data.length / size) }, (_, at) =>
    chunk('IDAT', data.subarray(at * size, (at + 1) * size)),
  );

const GOOD: Record<string, Buffer> = {
  'color with alpha': makePng(),
  colour: makePng({ colour: 2 }),
  grey: makePng({ colour: 0 }),
  'grey with alpha': makePng({ colour: 4 }),
  '1 bit grey': makePng({ colour: 0, depth: 1 }),
  'a palette': makePng({ colour: 3, depth: 4, before: [PALETTE, chunk('tRNS', Buffer.alloc(3))] }),
  '16 bits per channel': makePng({ depth: 16, side: 128 }),
  interlaced: makePng({ isInterlaced: true, side: 128, raw: interlaced(128, 32) }),
  'the smallest allowed size': makePng({ side: 128 }),
  'the largest allowed size': makePng({ side: 1024 }),
  'pixel data in thousands of chunks': makePng({ pixels: split(deflateSync(rawPixels({})), 1) }),
  'additional text, EXIF and time chunks': makePng({
    before: [chunk('tEXt', TEXT), chunk('eXIf', TEXT), chunk('pHYs', Buffer.alloc(9))],
    after: [chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bombData()])), chunk('tIME', Buffer.alloc(7))],
  }),
  'a compressed text that expands to 100 MB': makePng({
    before: [chunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0'), bombData()]))],
  }),
};

const BAD: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  'a signature alone': SIGNATURE,
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
  GIF: Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(1000)]),
  JPEG: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1000)]),
  'a page in front of it': Buffer.concat([Buffer.from('<html>'), makePng()]),
  'a page behind it': Buffer.concat([makePng(), Buffer.from('<script>alert(1)</script>')]),
  'an archive behind it': Buffer.concat([makePng(), Buffer.from('PK\x03\x04'), Buffer.alloc(100)]),
  'a second picture behind it': Buffer.concat([makePng(), makePng()]),
  'a bomb of pixels': makePng({ pixels: [chunk('IDAT', bombData())] }),
  'a bomb in pieces': makePng({ pixels: split(bombData(), 64) }),
  'a head of 65,535 squared': makePng({ side: 65_535, pixels: [chunk('IDAT', bombData())] }),
  'a head of 2^31 - 1 squared': makePng({ side: 2 ** 31 - 1, pixels: [chunk('IDAT', bombData())] }),
  'no width': makePng({ width: 0, height: 256, raw: Buffer.alloc(1) }),
  '1 × 1': makePng({ side: 1 }),
  '127 × 127': makePng({ side: 127 }),
  '1025 × 1025': makePng({ side: 1025 }),
  'not square': makePng({ width: 256, height: 128 }),
  'cut off in its pixels': makePng().subarray(0, 300),
  'cut off before its end': makePng().subarray(0, -12),
  'too few pixels': makePng({ raw: rawPixels({}).subarray(1) }),
  'too many pixels': makePng({ raw: Buffer.concat([rawPixels({}), Buffer.alloc(1)]) }),
  'no pixels': makePng({ pixels: [] }),
  'pixels that are not compressed': makePng({ pixels: [chunk('IDAT', rawPixels({}))] }),
  'pixels with a wrong check sum': makePng({ pixels: [chunk('IDAT', damaged(deflateSync(rawPixels({}))))] }),
  'a line with an unknown filter': makePng({ raw: rawPixels({}).fill(9, 0, 1) }),
  'a chunk with a wrong check sum': makePng({ before: [damaged(chunk('tEXt', TEXT))] }),
  'a chunk longer than the file': Buffer.concat([
    makePng().subarray(0, -12),
    Buffer.from([0x7f, 255, 255, 255]),
    chunk('IEND').subarray(4),
  ]),
  'an animation': makePng({ before: [chunk('acTL', Buffer.alloc(8))] }),
  'an animation with a late control chunk': makePng({
    after: [chunk('acTL', Buffer.alloc(8)), chunk('fdAT', Buffer.alloc(8))],
  }),
  'pixels in two runs': makePng({
    pixels: [...split(deflateSync(rawPixels({})), 200).flatMap((part) => [part, chunk('tEXt', TEXT)])],
  }),
  'an unknown chunk that it needs': makePng({ before: [chunk('ABCD')] }),
  'a chunk whose type is no word': makePng({ before: [chunk('a\0\0\0')] }),
  'two heads': makePng({ before: [head({})] }),
  'a head that is not first': Buffer.concat([SIGNATURE, chunk('tEXt', TEXT), makePng().subarray(8)]),
  'a palette that it lacks': makePng({ colour: 3 }),
  'a palette of too many': makePng({ colour: 3, depth: 1, before: [PALETTE] }),
  'a palette behind the pixels': makePng({ colour: 3, depth: 4, after: [PALETTE] }),
  'a palette of grey': makePng({ colour: 0, before: [PALETTE] }),
  'more transparency than colours': makePng({
    colour: 3,
    depth: 4,
    before: [PALETTE, chunk('tRNS', Buffer.alloc(17))],
  }),
  'transparency beside an alpha channel': makePng({ before: [chunk('tRNS', Buffer.alloc(2))] }),
  'a depth that its colour does not have': makePng({ colour: 2, depth: 4 }),
  'a colour that there is not': makePng({ colour: 5 }),
  'another way to compress': withHead(10, 1),
  'another way to filter': withHead(11, 1),
  'another way to interlace': withHead(12, 2),
  'over 512 KiB': makePng({ after: [chunk('tEXt', Buffer.alloc(512 * 1024, 97))] }),
};

describe('the icon encoder', () => {
  const encoder = createIconEncoder();
  after(() => encoder[Symbol.dispose]());

  for (const [name, icon] of Object.entries(GOOD)) {
    it(`re-encodes a valid icon: ${name}`, async () => {
      const found = await encoder.encode(icon);
      assert.ok(found.kind === 'encoded', JSON.stringify(found));
      const { width, height, format, exif, icc, comments } = await sharp(found.png).metadata();
      const wanted = await sharp(icon, { unlimited: true }).metadata();
      assert.deepEqual([width, height, format], [wanted.width, wanted.height, 'png']);
      assert.deepEqual([exif, icc, comments], [undefined, undefined, undefined]);
      assert.ok(!Buffer.from(found.png).includes('script'), 'no text of it is left');
    });
  }

  it('keeps the pixels of the icon', async () => {
    const icon = makePng({ seed: 5 });
    const found = await encoder.encode(icon);
    assert.ok(found.kind === 'encoded');
    const [before, now] = await Promise.all([icon, found.png].map((png) => sharp(png).ensureAlpha().raw().toBuffer()));
    assert.deepEqual(now, before);
  });

  it('refuses invalid icons with a problem code', async (context) => {
    const before = process.memoryUsage.rss();
    let most = before;
    for (const [name, icon] of Object.entries(BAD)) {
      const found = await encoder.encode(icon);
      assert.ok(found.kind === 'refused', name);
      const isSize = /^(1 ×|127|1025|not square|a head of)/.test(name);
      assert.equal(found.problem.code, isSize ? 'icon.size' : 'icon.not-png', `${name}: ${found.problem.message}`);
      assert.match(found.problem.message, /^icon\.png [^\n]{5,200}\.$/, name);
      most = Math.max(most, process.memoryUsage.rss());
    }
    context.diagnostic(`they cost this process ${Math.round((most - before) / 1024 ** 2)} MiB at most`);
    assert.ok(Object.keys(BAD).length >= 40);
  });

  it('decodes in a process without the environment of the catalog', async () => {
    const environment = await readFile(`/proc/${encoder.pid}/environ`, 'utf8');
    assert.deepEqual(
      environment.split('\0').map((line) => line.split('=')[0]),
      ['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', ''],
    );
  });
});

describe('the icon decoder process', () => {
  const ENDS = `process.once('message', () => process.exit(3)); process.send({ kind: 'ready' });`;
  const GROWS = `
    process.on('message', () => { globalThis.kept = Buffer.alloc(600 * 1024 * 1024, 1); });
    process.send({ kind: 'ready' });`;

  it('refuses an icon that ends the process or needs too much memory', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'davit-icons-'));
    for (const [name, program] of Object.entries({ ends: ENDS, grows: GROWS })) {
      const entry = join(folder.path, `${name}.mjs`);
      await writeFile(entry, program);
      using encoder = createIconEncoder(entry);
      const found = await encoder.encode(makePng());
      assert.ok(found.kind === 'refused', name);
      assert.match(found.problem.message, name === 'ends' ? /the process ended with 3/ : /too much memory/);
    }
  });

  it('is replaced after being killed', async () => {
    using encoder = createIconEncoder();
    await encoder.encode(makePng());
    const { pid } = encoder;
    assert.ok(pid !== null);
    process.kill(pid, 'SIGKILL');
    assert.equal((await encoder.encode(makePng())).kind, 'encoded');
    assert.notEqual(encoder.pid, pid);
  });

  it('fails with an error if the process cannot start', async () => {
    using encoder = createIconEncoder('/nonexistent/child.mjs');
    await assert.rejects(encoder.encode(makePng()), /could not be started/);
  });
});

function withHead(at: number, value: number): Buffer {
  const whole = makePng();
  const data = Buffer.from(whole.subarray(16, 29)).fill(value, at, at + 1);
  return Buffer.concat([SIGNATURE, chunk('IHDR', data), whole.subarray(33)]);
}
