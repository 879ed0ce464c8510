import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readHeads } from './heads.ts';

const REPOSITORY = 'shop/production/web';
const digestOf = (n: number) => `sha256:${String(n).padStart(64, '0')}`;

describe('readHeads', () => {
  let storage = '';
  before(async () => {
    storage = await mkdtemp(join(tmpdir(), 'davit-heads-'));
    await tag('v1', digestOf(1), 1_000);
    await tag('v3', digestOf(3), 2_000);
    await tag('v2', digestOf(2), 3_000);
    await tag('torn', 'sha256:12', 4_000);
    await tag('.hidden', digestOf(9), 5_000);
    await mkdir(join(manifests(), 'tags/empty'));
  });
  after(() => rm(storage, { recursive: true }));

  const manifests = () => join(storage, 'docker/registry/v2/repositories', REPOSITORY, '_manifests');

  async function tag(name: string, digest: string, seconds: number): Promise<void> {
    const folder = join(manifests(), 'tags', name, 'current');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'link'), digest);
    await utimes(join(folder, 'link'), seconds, seconds);
  }

  it('returns complete tags in the order of their pushes', async () => {
    assert.deepEqual(
      (await readHeads(storage, REPOSITORY, 0)).map(({ tag: name, digest }) => [name, digest]),
      [
        ['v1', digestOf(1)],
        ['v3', digestOf(3)],
        ['v2', digestOf(2)],
      ],
    );
  });

  it('returns tags from a given time on, including the given time', async () => {
    const since = async (at: number) => (await readHeads(storage, REPOSITORY, at)).map(({ tag: name }) => name);

    assert.deepEqual(await since(2_000_000), ['v3', 'v2']);
    assert.deepEqual(await since(3_000_001), []);
  });

  it('skips a repository whose folders have not changed since the given time', async () => {
    const long = 10_000;
    await utimes(join(manifests(), 'tags'), long, long);
    await tag('v1', digestOf(4), 20_000);

    assert.deepEqual(await readHeads(storage, REPOSITORY, 15_000_000), []);
    await mkdir(join(manifests(), 'revisions/sha256'), { recursive: true });
    assert.deepEqual(
      (await readHeads(storage, REPOSITORY, 15_000_000)).map(({ tag: name }) => name),
      ['v1'],
    );
  });

  it('returns nothing for an unknown repository and refuses a path outside the folder', async () => {
    assert.deepEqual(await readHeads(storage, 'shop/production/none', 0), []);
    await assert.rejects(readHeads(storage, '../../etc', 0));
  });
});
