import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createGunzip } from 'node:zlib';
import { extract, type Headers } from 'tar-stream';
import { type ReleaseFile, writeArchive } from './archive.ts';

const TOP = 'davit-1.0.0';
const LONG = `lib/${'folder/'.repeat(20)}file.js`;

function text(path: string, contents: string, executable = false): ReleaseFile {
  return { path, contents: Buffer.from(contents), executable };
}

describe('the archive of a release', () => {
  let folder: string;
  let out: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-archive-'));
    out = join(folder, 'archive.tar.gz');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(): Promise<{ header: Headers; body: string }[]> {
    const found: { header: Headers; body: string }[] = [];
    const reader = extract();
    reader.on('entry', (header, stream, next) => {
      let body = '';
      stream.on('data', (chunk) => {
        body += chunk;
      });
      stream.on('end', () => {
        found.push({ header, body });
        next();
      });
    });
    await pipeline(createReadStream(out), createGunzip(), reader);
    return found;
  }

  it('contains folders before their files, in the order of byte values', async () => {
    await writeArchive([text('lib/b.js', ''), text('bin/z', ''), text('lib/B.js', ''), text('bin/ä', '')], TOP, out);
    assert.deepEqual(
      (await read()).map(({ header }) => header.name.replace(/\/$/, '')),
      ['', '/bin', '/bin/z', '/bin/ä', '/lib', '/lib/B.js', '/lib/b.js'].map((path) => `${TOP}${path}`),
    );
  });

  it('belongs to root, has one time, and marks only programs as executable', async () => {
    await writeArchive([text('bin/davit', '', true), text('LICENSE', '')], TOP, out);
    const headers = (await read()).map(({ header }) => header);
    assert.deepEqual(
      headers.map(({ mode }) => mode?.toString(8)),
      ['755', '644', '755', '755'],
    );
    for (const { uid, gid, uname, gname, mtime } of headers) {
      assert.deepEqual([uid, gid, uname, gname, mtime?.getTime()], [0, 0, '', '', Date.UTC(2020, 0, 1)]);
    }
  });

  it('contains long paths and the contents of files', async () => {
    await writeArchive([text(LONG, 'x'.repeat(100_000))], TOP, out);
    const found = (await read()).find(({ header }) => header.name === `${TOP}/${LONG}`);
    assert.equal(found?.body.length, 100_000);
  });

  it('has the same bytes for another order of the files', async () => {
    const files = [text('b', '2'), text('a', '1'), text('c/d', '3')];
    await writeArchive(files, TOP, out);
    const first = await readFile(out);
    await writeArchive(files.toReversed(), TOP, out);
    assert.deepEqual(await readFile(out), first);
  });

  it('has no name and no time in its compression header', async () => {
    await writeArchive([text('a', '1')], TOP, out);
    const [, , method, flags, ...time] = (await readFile(out)).subarray(0, 8);
    assert.deepEqual([method, flags, ...time], [8, 0, 0, 0, 0, 0]);
  });

  it('is refused if two files have the same path', async () => {
    await assert.rejects(writeArchive([text('a', '1'), text('a', '2')], TOP, out), /twice/);
    await assert.rejects(writeArchive([text('a', '1'), text('a/b', '2')], TOP, out), /twice/);
  });
});
