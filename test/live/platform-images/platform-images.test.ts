/**
 * Images that Davit builds, on a real engine: they are used by their recorded id, shared by instances, and removed only
 * by their owner.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import Docker from 'dockerode';
import { createDockerClient } from '../../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { DockerPlatformImages } from '../../../packages/daemon/src/adapters/engine/docker/images/platform-images.ts';
import { Apt } from '../../../packages/daemon/src/adapters/engine/docker/made/debian-apt.ts';
import { debianImageReference } from '../../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import type { DebianImage } from '../../../packages/daemon/src/adapters/engine/docker/made/debian-recipe.ts';
import type {
  PlatformImageFailed,
  PlatformImageRecord,
} from '../../../packages/daemon/src/adapters/engine/platform-images.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { OpenRegistry } from '../../support/open-registry.ts';
import { PackageRepository } from '../../support/package-repository.ts';
import { tarOf } from '../../support/test-app-tar.ts';
import { inLong } from '../../support/tiers.ts';

const SIGNAL = new AbortController().signal;

describe('platform image management', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  const client = createDockerClient(null);
  const name = `test-${randomBytes(4).toString('hex')}`;
  /** A program without libraries. Its name is unique for this run, so that tags of other runs do not move. */
  const recipe: DebianImage = {
    name,
    packages: ['busybox-static'],
    binaries: ['/bin/busybox'],
    entrypoint: ['/bin/busybox'],
    check: [['/bin/busybox', 'true']],
  };
  const shared = debianImageReference(recipe);
  let folder: string;
  let repository: PackageRepository;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-platform-'));
    repository = await PackageRepository.create([recipe]);
  });
  after(async () => {
    for (const tag of await tags()) await docker.getImage(tag).remove({ force: true });
    await client[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates the image management of an instance. */
  function instance(davitId = randomBytes(4).toString('hex')) {
    const kept = new Map<string, PlatformImageRecord>();
    const warnings: string[] = [];
    const images = new DockerPlatformImages({
      ...{ davitId, docker: client, isShared: true, now: Date.now },
      apt: new Apt({ folder: join(folder, davitId), sources: repository.sources }),
      records: {
        find: (one) => kept.get(one) ?? null,
        all: () => [...kept.values()],
        put: (record) => void kept.set(record.name, record),
      },
      log: { info: () => undefined, warn: (_, message) => void warnings.push(message) },
    });
    images.register({ recipe });
    const record = () => {
      const found = kept.get(name);
      assert.ok(found);
      return found;
    };
    /** Updates the image like a check, without updating containers. */
    const update = async () => {
      await images.refresh(SIGNAL);
      if ((await images.newer(record().packages, SIGNAL)).length === 0) return false;
      const made = await images.make(name, SIGNAL);
      await images.verify(name, made.imageId, SIGNAL);
      kept.set(name, { ...record(), ...made });
      await images.rollOut(name, SIGNAL);
      return true;
    };
    const collect = () => images.collect(new Map([[record().imageId, name]]));
    return { davitId, images, record, update, collect, warnings };
  }

  async function tags(): Promise<string[]> {
    const images = await docker.listImages();
    return images.flatMap(({ RepoTags }) => (RepoTags ?? []).filter((tag) => tag.startsWith(`davit/${name}:`)));
  }

  const exists = (id: string) =>
    docker
      .getImage(id)
      .inspect()
      .then(
        () => true,
        () => false,
      );

  async function idOf(reference: string): Promise<string> {
    return (await docker.getImage(reference).inspect()).Id;
  }

  /** Creates an image with the same labels as one of Davit's images. */
  async function impostor(): Promise<string> {
    const [recipeLabel = '', packagesLabel = ''] = await labels();
    const lines = [`FROM ${shared}`, `LABEL ${recipeLabel}`, `LABEL ${packagesLabel}`, 'ENV IMPOSTOR=1'];
    const reference = `davit-test/impostor-${name}:1`;
    const built = await docker.buildImage(Readable.from([tarOf('Dockerfile', `${lines.join('\n')}\n`)]), {
      t: reference,
      rm: true,
      forcerm: true,
    });
    await finished(built);
    return reference;
  }

  async function labels(): Promise<string[]> {
    const { Config } = await docker.getImage(shared).inspect();
    return Object.entries(Config.Labels ?? {}).map(([label, value]) => `${label}="${value}"`);
  }

  async function finished(stream: NodeJS.ReadableStream): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
    });
  }

  test('builds an image from the newest packages, records the packages and reuses the image', async () => {
    const one = instance();

    const id = await one.images.ensure(recipe);
    const again = await one.images.ensure(recipe);

    assert.equal(again, id);
    assert.deepEqual(
      one.record().packages.map((found) => found.name),
      ['busybox-static'],
    );
    assert.deepEqual(one.warnings, []);
    assert.equal(await one.update(), false);
    // A package that no longer exists has the version null, because another package may have replaced the package.
    const gone = { name: 'davit-gone', version: '1' };
    assert.deepEqual(await one.images.newer([gone], SIGNAL), [{ name: 'davit-gone', from: '1', to: null }]);
  });

  test('shares an image between two instances and keeps the image for both', async () => {
    const [one, two] = [instance(), instance()];
    const first = await one.images.ensure(recipe);
    assert.equal(await two.images.ensure(recipe), first);
    const version = await repository.publishNewer('busybox-static');

    assert.equal(await two.update(), true);
    await two.collect();

    // The old image stays, because the other instance may start a container from the old image at any time.
    assert.ok(await exists(first));
    assert.equal(await one.images.ensure(recipe), first);
    assert.equal(await one.update(), true);
    assert.deepEqual(one.record().packages, [{ name: 'busybox-static', version }]);
    // The image was built once for both instances.
    assert.equal(one.record().imageId, two.record().imageId);
    await one.collect();
    assert.ok(await exists(one.record().imageId));
  });

  test('deletes unused images, but keeps an image until its last container is removed', inLong, async () => {
    const one = instance();
    const before = await one.images.ensure(recipe);
    for (const tag of await tags()) {
      if (tag !== shared && !tag.includes(one.davitId)) await docker.getImage(tag).remove({ noprune: true });
    }
    const container = await docker.createContainer({ Image: before, Cmd: ['true'] });
    await repository.publishNewer('busybox-static');
    await one.update();

    await one.collect();
    const whileUsed = await exists(before);
    await container.remove();
    await one.collect();

    assert.deepEqual([whileUsed, await exists(before)], [true, false]);
    const own = (await tags()).filter((tag) => tag.includes(`:${one.davitId}-`));
    assert.deepEqual([...new Set(await Promise.all(own.map(idOf)))], [one.record().imageId]);
  });

  test('ignores a shared tag that was moved to a foreign image', async () => {
    const one = instance();
    const id = await one.images.ensure(recipe);
    await using registry = await OpenRegistry.start(docker);
    const built = await impostor();
    const pulled = `localhost:${new URL(registry.url).port}/davit/${name}`;
    await docker.getImage(built).tag({ repo: pulled, tag: 'x' });
    await finished(await docker.getImage(`${pulled}:x`).push({ authconfig: { username: 'x', password: 'x' } }));
    const stranger = await idOf(`${pulled}:x`);
    const [repo = '', tag = ''] = shared.split(':');
    await docker.getImage(`${pulled}:x`).tag({ repo, tag });

    const fresh = instance();
    const found = [await one.images.ensure(recipe), await fresh.images.ensure(recipe)];

    assert.equal(found[0], id);
    assert.notEqual(found[1], stranger);
    // The image was built again, and the shared tag refers to the new image.
    assert.equal(await idOf(shared), found[1]);
    for (const reference of [built, `${pulled}:x`]) await docker.getImage(reference).remove({ force: true });
  });

  test('refuses an image if its program does not start', inLong, async () => {
    const one = instance();
    await one.images.ensure(recipe);
    const broken = join(folder, 'broken');
    await writeFile(broken, elfWithoutProgram(), { mode: 0o755 });
    await repository.publishNewer('busybox-static', { '/bin/busybox': broken });

    await assert.rejects(one.update(), { name: 'PlatformImageRefused' });

    // The shared tag still refers to the previous image, so other instances do not use the refused image.
    assert.equal(await idOf(shared), one.record().imageId);
  });

  test('keeps the image if the package repository goes back to an older version', inLong, async () => {
    const one = instance();
    await one.images.ensure(recipe);
    const [{ version } = { version: '' }] = one.record().packages;
    const ahead = { ...one.record(), packages: [{ name: 'busybox-static', version: `${version}+zz` }] };
    await using older = await PackageRepository.create([recipe]);
    const images = new DockerPlatformImages({
      ...{ davitId: one.davitId, docker: client, isShared: true, now: Date.now },
      apt: new Apt({ folder: join(folder, 'older'), sources: older.sources }),
      records: { find: () => ahead, all: () => [ahead], put: () => assert.fail('nothing may change') },
      log: { info: () => undefined, warn: () => undefined },
    });
    images.register({ recipe });
    await images.refresh(SIGNAL);

    assert.deepEqual(await images.newer(ahead.packages, SIGNAL), []);
    await assert.rejects(images.make(name, SIGNAL), (error: PlatformImageFailed) => error.code === 'packages_older');
  });
});

/** Returns the header of an executable without any content. */
function elfWithoutProgram(): Buffer {
  const file = Buffer.alloc(128);
  file.writeUInt32BE(0x7f454c46, 0);
  // 64-bit, little-endian.
  file.set([2, 1, 1], 4);
  return file;
}
