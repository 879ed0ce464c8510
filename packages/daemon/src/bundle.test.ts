import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isBundleCurrent, versionOf } from './bundle.mjs';

describe('the bundle of the daemon', () => {
  let folder: string;
  let source: string;
  let list: URL;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-bundle-'));
    source = join(folder, 'source.ts');
    list = pathToFileURL(join(folder, 'sources.json'));
    await writeFile(source, 'one');
    await writeFile(list, JSON.stringify({ [source]: versionOf(source) }));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is current while its sources are unchanged since the build', () => {
    assert.equal(isBundleCurrent(list), true);
  });

  it('is not current if the modification time of a source has changed', async () => {
    await utimes(source, new Date(), new Date(0));
    assert.equal(isBundleCurrent(list), false);
  });

  it('is not current if the size of a source has changed', async () => {
    const { atime, mtime } = await stat(source);
    await writeFile(source, 'one more');
    await utimes(source, atime, mtime);
    assert.equal(isBundleCurrent(list), false);
  });

  it('is not current if a source is missing', async () => {
    await rm(source);
    assert.equal(isBundleCurrent(list), false);
  });

  it('is not current if the build did not finish', async () => {
    await writeFile(list, '{"');
    assert.equal(isBundleCurrent(list), false);
    await rm(list);
    assert.equal(isBundleCurrent(list), false);
  });
});
