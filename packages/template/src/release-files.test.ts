import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkReleaseFiles, type ReleaseFiles } from './release-files.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/templates/davit-examples/umami-template/v2.0.0');
const ICON = readFileSync(join(EXAMPLE, 'icon.png'));
const TEXT = Buffer.from('text');

function problemsOf(files: Partial<ReleaseFiles>): { code: string; message: string; hint?: string | undefined }[] {
  const whole = { 'template.yaml': TEXT, 'README.md': TEXT, 'icon.png': ICON, hasTemplateYml: false, ...files };
  return checkReleaseFiles(whole).map(({ code, message, hint }) => ({ code, message, hint }));
}

const codes = (files: Partial<ReleaseFiles>) => problemsOf(files).map(({ code }) => code);

/** Returns a PNG with a valid header and arbitrary pixels. */
function png(width: number, height: number, { depth = 8, colour = 6, chunks = [] as string[], end = 'IDAT' } = {}) {
  const chunk = (type: string, data = Buffer.alloc(0)) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), ...[...chunks, end].map((type) => chunk(type, TEXT))]);
}

describe('release files', () => {
  test('accepts a release with all three files', () => assert.deepEqual(problemsOf({}), []));

  test('reports all missing files together', () => {
    assert.deepEqual(codes({ 'template.yaml': 'missing', 'README.md': 'missing', 'icon.png': 'missing' }), [
      'release.template-missing',
      'release.readme-missing',
      'release.icon-missing',
    ]);
  });

  test('suggests renaming template.yml to template.yaml', () => {
    const [found] = problemsOf({ 'template.yaml': 'missing', hasTemplateYml: true });
    assert.equal(found?.hint, 'Rename template.yml to template.yaml.');
  });

  test('accepts files up to the size limit and refuses larger files', () => {
    const readme = (bytes: number) => codes({ 'README.md': new Uint8Array(bytes) });
    const template = (bytes: number) => codes({ 'template.yaml': new Uint8Array(bytes) });
    assert.deepEqual([readme(512 * 1024), template(256 * 1024)], [[], []]);
    assert.deepEqual(
      [readme(512 * 1024 + 1), template(256 * 1024 + 1)],
      [['release.too-large'], ['release.too-large']],
    );
    assert.deepEqual(codes({ 'icon.png': 'too-large' }), ['release.too-large']);
  });
});

describe('release icon', () => {
  const icon = (bytes: Uint8Array) => codes({ 'icon.png': bytes });

  test('accepts only square icons from 128 to 1024 pixels', () => {
    assert.deepEqual([icon(png(128, 128)), icon(png(1024, 1024))], [[], []]);
    for (const [width, height] of [
      [127, 127],
      [1025, 1025],
      [256, 255],
      [0xffffffff, 0xffffffff],
    ] as const)
      assert.deepEqual(icon(png(width, height)), ['icon.size'], `${width} x ${height}`);
  });

  test('refuses other formats, truncated files and images without pixels', () => {
    const others = [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('ffd8ffe000104a464946', 'hex'),
      ICON.subarray(0, 20),
      ICON.subarray(0, 33),
      png(0, 0),
      png(256, 256, { depth: 3 }),
      png(256, 256, { colour: 5 }),
      png(256, 256, { end: 'IEND' }),
    ];
    for (const bytes of others) assert.deepEqual(icon(bytes), ['icon.not-png'], bytes.toString('hex'));
  });

  test('refuses an animated PNG as icon', () => {
    const [found] = problemsOf({ 'icon.png': png(256, 256, { chunks: ['gAMA', 'acTL'] }) });
    assert.deepEqual([found?.code, found?.message], ['icon.not-png', 'icon.png is an animated PNG.']);
  });

  test('refuses a PNG chunk with a length beyond the file', () => {
    const bytes = png(256, 256, { chunks: ['tEXt'] });
    bytes.writeUInt32BE(0xffffffff, 33);
    assert.deepEqual(icon(bytes), ['icon.not-png']);
  });

  test('reads an icon from the middle of a larger buffer', () => {
    const larger = Buffer.concat([Buffer.alloc(7), ICON]);
    assert.deepEqual(icon(new Uint8Array(larger.buffer, larger.byteOffset + 7, ICON.length)), []);
  });
});
