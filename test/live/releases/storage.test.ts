/** Files that are removed from a real registry, and images that can still be pulled completely. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { lutimes, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '@davit/service';
import { RegistryClient } from '../../../packages/daemon/src/adapters/registry/distribution/client.ts';
import {
  type RegistryContents,
  registryContents,
} from '../../../packages/daemon/src/adapters/registry/distribution/contents.ts';
import { RegistryStorage } from '../../../packages/daemon/src/adapters/registry/distribution/storage.ts';
import {
  type CollectionRequest,
  RegistryUnavailable,
} from '../../../packages/daemon/src/adapters/registry/registry.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { OpenRegistry, sha } from '../../support/open-registry.ts';
import { inLong } from '../../support/tiers.ts';

const NOTHING: CollectionRequest = {
  keep: new Map(),
  tags: [],
  repositories: [],
  spare: new Set(),
  youngMs: 0,
};
const KIB = 1024;

describe('the registry storage', { skip: whyNoEngine() ?? false }, () => {
  let registry: OpenRegistry;
  let client: RegistryClient;
  let storage: RegistryStorage;
  let contents: RegistryContents;
  let number = 0;
  before(async () => {
    registry = await OpenRegistry.start();
    client = new RegistryClient({ url: () => registry.url });
    storage = new RegistryStorage(registry.storage);
    const replace = (to: { readOnly: boolean }) => registry.replace(to);
    contents = registryContents({ storage, replace, log: createLogger({ level: 'error' }) });
  });
  after(() => registry?.[Symbol.asyncDispose]());

  const layer = (kib = 64) => randomBytes(kib * KIB);
  const repository = () => `shop/production/app-${++number}`;
  const collect = (request: Partial<CollectionRequest> = {}) => contents.collect(() => ({ ...NOTHING, ...request }));

  /** Starts an upload that has been inactive for some time. */
  async function begin(name: string, agoMs: number): Promise<void> {
    const begun = await fetch(`${registry.url}/v2/${name}/blobs/uploads/`, { method: 'POST' });
    assert.equal(begun.status, 202);
    const [upload] = await storage.uploads(name);
    assert.ok(upload);
    const then = new Date(Date.now() - agoMs);
    for (const path of [upload.path, join(upload.path, 'startedat'), join(upload.path, 'data')])
      await utimes(path, then, then).catch(() => undefined);
  }

  test('reports repositories, tags, digests and sizes of pushed images', async () => {
    const name = repository();
    const [amd, arm] = [layer(), layer(32)];
    const one = await registry.push(name, 'v1', amd);
    const index = await registry.pushIndex(name, 'multi', [amd, arm]);

    assert.ok((await client.repositories()).includes(name));
    assert.deepEqual(await client.tags(name), ['multi', 'v1']);
    assert.deepEqual(await client.tags('shop/production/never'), []);
    assert.equal(await client.digestOf(name, 'v1'), one.digest);
    assert.equal(await client.manifest(name, 'v9'), null);
    const [v1, multi] = [await client.manifest(name, 'v1'), await client.manifest(name, index.digest)];
    assert.deepEqual([v1?.digest, v1?.mediaType], [one.digest, one.mediaType]);
    assert.ok((v1?.bytes ?? 0) > amd.length && (v1?.bytes ?? 0) < amd.length + KIB, String(v1?.bytes));
    assert.deepEqual([multi?.digest, multi?.mediaType], [index.digest, index.mediaType]);
    assert.ok((multi?.bytes ?? 0) > amd.length + arm.length);
  });

  test('removes a tag of a manifest and keeps the manifest’s other tag', inLong, async () => {
    const name = repository();
    const content = layer();
    const { digest } = await registry.push(name, 'v1', content);
    await registry.push(name, 'latest', content);

    assert.equal(await contents.untag({ repository: name, tag: 'latest' }, `sha256:${'0'.repeat(64)}`), false);
    assert.equal(await registry.pull(name, 'latest'), 200);
    assert.equal(await contents.untag({ repository: name, tag: 'latest' }, digest), true);

    assert.deepEqual(await client.tags(name), ['v1']);
    assert.deepEqual([await registry.pull(name, 'v1'), await registry.pull(name, 'latest')], [200, 404]);
    assert.equal(await registry.pull(name, digest), 200);
    await registry.push(name, 'v2', layer());
    assert.deepEqual(await client.tags(name), ['v1', 'v2'], 'pushes are taken again');
  });

  test('removes data that no tag and no release needs, and frees disk space', async () => {
    const name = repository();
    const [old, moved, kept] = [layer(512), layer(256), layer()];
    await registry.push(name, 'old', old);
    const before = await registry.push(name, 'latest', moved);
    await registry.push(name, 'latest', kept);
    const index = await registry.pushIndex(name, 'multi', [layer(), layer()]);
    const bytes = await contents.bytesOnDisk();
    const keep = new Map([[name, new Set([before.digest, index.digest])]]);
    const tags = ['old', 'multi'].map((tag) => ({ repository: name, tag }));

    const dry = await contents.preview({ ...NOTHING, keep, tags });
    const done = await collect({ keep, tags });

    assert.deepEqual(done, dry);
    assert.deepEqual([done.manifests, done.blobs], [1, 3], 'a manifest, its configuration and its layer');
    assert.equal(await contents.bytesOnDisk(), bytes - done.freedBytes);
    assert.ok(done.freedBytes >= old.length);
    assert.deepEqual(await client.tags(name), ['latest']);
    for (const reference of ['latest', before.digest, index.digest, ...index.images])
      assert.equal(await registry.pull(name, reference), 200, reference);
    assert.match(await registry.wouldCollect(), /0 blobs .*eligible for deletion/, 'the registry’s own finds no more');
    await registry.push(name, 'old', old);
    assert.equal(await registry.pull(name, 'old'), 200, 'what is gone can be pushed again');
  });

  test('measures the size of a repository from files, not from manifests', async () => {
    const [name, other] = [repository(), repository()];
    const shared = layer(128);
    const { digest } = await registry.push(name, 'v1', shared);
    const one = await storage.bytesOf([name]);
    assert.ok(one > shared.length && one < shared.length + 4 * KIB, String(one));

    // A layer without a manifest, a manifest without a tag, and an unfinished upload.
    await registry.upload(name, layer(64));
    await contents.untag({ repository: name, tag: 'v1' }, digest);
    await begin(name, 0);
    assert.equal(await storage.bytesOf([name]), one + 64 * KIB);

    await registry.push(other, 'v1', shared);
    assert.ok((await storage.bytesOf([name, other])) < one + 64 * KIB + 4 * KIB);
    assert.equal(await storage.bytesOf(['shop/production/never']), 0);
  });

  test('keeps recent data and all data of a repository during pushes', async () => {
    const [young, busy] = [repository(), repository()];
    for (const name of [young, busy]) {
      await registry.push(name, 'latest', layer());
      await registry.push(name, 'latest', layer());
    }
    const half = layer();
    await registry.upload(busy, half);

    const first = await collect({ youngMs: 60_000 });
    const [before] = [await storage.revisions(young), await collect({ spare: new Set([busy]) })];

    assert.deepEqual([first.manifests, first.blobs, before.length], [0, 0, 2]);
    assert.equal((await storage.revisions(young)).length, 1);
    assert.equal((await fetch(`${registry.url}/v2/${busy}/blobs/${sha(half)}`, { method: 'HEAD' })).status, 200);
    assert.equal((await storage.revisions(busy)).length, 2);
  });

  test('removes a repository, but not another repository with the same name prefix', inLong, async () => {
    const name = repository();
    await registry.push(name, 'v1', layer());
    await registry.push(`${name}/more`, 'v1', layer());

    await contents.removeRepositories([name]);

    assert.deepEqual([await registry.pull(name, 'v1'), await registry.pull(`${name}/more`, 'v1')], [404, 200]);
    await collect({ repositories: [`${name}/more`] });
    assert.ok(!(await client.repositories()).some((one) => one.startsWith(name)));
  });

  test('collects garbage although some files are damaged', inLong, async () => {
    const name = repository();
    const { digest } = await registry.push(name, 'v1', layer());
    const gone = await registry.push(name, 'v2', layer());
    const folder = join(registry.storage, 'docker/registry/v2/repositories', name, '_manifests');
    await writeFile(join(folder, 'tags/v2/current/link'), '');
    await storage.removeBlob(gone.digest);
    await mkdir(join(folder, 'revisions/sha256/not-a-digest'), { recursive: true });

    const { manifests } = await collect();

    assert.equal(manifests, 1);
    assert.equal(await registry.pull(name, digest), 200);
  });

  test('removes abandoned uploads, and uploads in busy repositories after a day', inLong, async () => {
    const [left, busy, over] = [repository(), repository(), repository()];
    const hourMs = 3_600_000;
    await begin(left, hourMs);
    await begin(busy, hourMs);
    await begin(over, 48 * hourMs);

    await collect({ youngMs: hourMs / 2, spare: new Set([busy, over]) });

    const counts = await Promise.all([left, busy, over].map((name) => storage.uploads(name)));
    assert.deepEqual(
      counts.map(({ length }) => length),
      [0, 1, 0],
    );
  });

  test('does not follow symbolic links out of the storage during a collection', async () => {
    const name = repository();
    await registry.push(name, 'v1', layer());
    const outside = await mkdtemp(join(tmpdir(), 'davit-outside-'));
    await writeFile(join(outside, 'data'), 'of another program');
    await writeFile(join(outside, 'link'), `sha256:${'0'.repeat(64)}`);
    const root = join(registry.storage, 'docker/registry/v2');
    const own = join(root, 'repositories', name);
    await mkdir(join(own, '_uploads'), { recursive: true });
    await mkdir(join(root, 'blobs/sha256/ff'), { recursive: true });
    const links = [
      join(own, '_uploads/link'),
      join(own, '_manifests/tags/link'),
      join(own, '_manifests/revisions/sha256', 'd'.repeat(64)),
      join(own, '_layers/sha256', 'd'.repeat(64)),
      join(root, 'blobs/sha256/ff', 'f'.repeat(64)),
      join(root, 'repositories/link'),
    ];
    for (const link of links) await symlink(outside, link);
    // The collection waits for an active upload.
    const then = new Date(Date.now() - 60_000);
    for (const path of [...links, join(outside, 'data')]) await lutimes(path, then, then);

    await collect({ tags: [{ repository: name, tag: 'link' }] });
    await contents.removeRepositories([name]);

    assert.deepEqual((await readdir(outside)).sort(), ['data', 'link']);
    await rm(outside, { recursive: true });
    await rm(join(root, 'repositories/link'));
  });

  test('refuses invalid repository names, tags and digests', async () => {
    for (const bad of ['../x', 'a/../b', '/etc', 'a//b', '_layers', 'A/b', 'a/b\0', '']) {
      await assert.rejects(contents.removeRepositories([bad]), /not a valid repository name/, bad);
      await assert.rejects(client.tags(bad), /not a valid repository name/);
    }
    for (const tag of ['../v1', '..', '.', '', 'a/b', 'v1\0'])
      await assert.rejects(contents.untag({ repository: 'a/b/c', tag }, ''), /not a valid tag/, tag);
    await assert.rejects(client.manifest('a/b/c', 'sha256:12'), /not a valid digest/);
  });

  test('reports an unreachable registry as unavailable', async () => {
    const away = new RegistryClient({ url: () => 'http://127.0.0.1:1' });
    await assert.rejects(away.tags('a/b/c'), RegistryUnavailable);
  });
});
