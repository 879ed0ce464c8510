/** A newer package in the repository reaches running containers while they serve. */
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { NAMES_IMAGE } from '../../../packages/daemon/src/adapters/engine/docker/names/container.ts';
import { FIREWALL_IMAGE } from '../../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { PROXY_IMAGE } from '../../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import { REGISTRY_IMAGE } from '../../../packages/daemon/src/adapters/registry/distribution/image.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { platformImages } from '../../support/live-images.ts';
import { PackageRepository } from '../../support/package-repository.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';
import { LIGHT_LOAD, startTraffic } from '../../support/traffic.ts';

/** Time limit in milliseconds. One check may build and roll out three images. */
const CHECK_MS = 120_000;

describe('the update of platform images', { skip: whyNoEngine() ?? false }, () => {
  let repository: PackageRepository;
  let harness: LiveHarness;
  let app: LiveApp;
  let neighbour: LiveApp;
  let host: string[];

  before(async () => {
    host = await stateOfHost();
    // This instance does not share its images, and the removal of its firewall rules needs a shared one.
    await platformImages();
    // If the packages of an image were missing, the instance would refresh its package lists every few seconds.
    repository = await PackageRepository.create([PROXY_IMAGE, REGISTRY_IMAGE, NAMES_IMAGE, FIREWALL_IMAGE]);
    harness = await LiveHarness.create({ flags: ['--apt-sources', repository.sources] });
    const image = await testAppImage(harness.docker);
    [app, neighbour] = await Promise.all([harness.deployedApp({ image }), harness.deployedApp({ image })]);
    await check();
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
    assert.deepEqual(await stateOfHost(), host);
  });

  /**
   * Runs a check and waits for its end.
   * @returns all warnings during the check, and the instance after it
   */
  async function check() {
    const warnings = new Set<string>();
    await harness.client.checkPlatformImages({});
    const end = performance.now() + CHECK_MS;
    let instance = await harness.client.getInstance();
    while (instance.platform_check.running) {
      assert.ok(performance.now() < end, `the check has not ended: ${JSON.stringify(instance.platform_images)}`);
      for (const warning of instance.warnings) warnings.add(warning);
      await delay(25);
      instance = await harness.client.getInstance();
    }
    assert.equal(instance.platform_check.failure, null);
    const image = (name: string) => instance.platform_images.find((one) => one.name === name);
    const versionOf = (name: string, of: string) => image(name)?.packages.find((one) => one.name === of)?.version;
    return { instance, warnings: [...warnings].join('\n'), image, versionOf };
  }

  /** Returns the running container of a kind. */
  async function serving(kind: string) {
    const filters = { label: [`davit.instance=${harness.instance.id}`, `davit.kind=${kind}`], status: ['running'] };
    const [newest] = await harness.docker.listContainers({ filters });
    assert.ok(newest);
    return { id: newest.Id, imageId: newest.ImageID };
  }

  function traffic() {
    const { httpPort: port } = harness.instance;
    return startTraffic({ port, host: app.host, neighbour: neighbour.host, rates: LIGHT_LOAD });
  }

  test('replaces HAProxy with a newer package without a lost request, and shows a warning meanwhile', async () => {
    const before = await serving('proxy');
    await using requests = await traffic();

    const version = await repository.publishNewer('haproxy');
    const { instance, warnings, image, versionOf } = await check();
    const report = await requests.stop();

    assert.deepEqual(report.lost, {});
    assert.ok(report.sentInAll > 100);
    assert.equal(versionOf('haproxy', 'haproxy'), version);
    assert.match(warnings, /Newer packages for haproxy \(haproxy \S+ to \S+\+test1\) are being installed\./);
    assert.doesNotMatch(instance.warnings.join('\n'), /haproxy|security updates/);
    const now = await serving('proxy');
    assert.notEqual(now.id, before.id);
    assert.equal(now.imageId, image('haproxy')?.image_id);
    assert.equal((await app.get()).status, 200);
  });

  test('replaces the registry and the resolver with newer images', inLong, async () => {
    const before = { registry: await serving('registry'), names: await serving('names') };
    await repository.publishNewer('docker-registry');
    await repository.publishNewer('dnsmasq-base');

    const { image } = await check();

    for (const kind of ['registry', 'names'] as const) {
      const now = await serving(kind);
      assert.notEqual(now.id, before[kind].id);
      assert.equal(now.imageId, image(kind)?.image_id);
    }
    assert.equal((await harness.client.getOwnRegistry()).status, 'running');
  });

  test('keeps the running proxy if the newer HAProxy does not start', inLong, async () => {
    const before = await serving('proxy');
    await using requests = await traffic();
    // The package now contains a program that always exits with 1.
    await repository.publishNewer('haproxy', { '/usr/sbin/haproxy': '/usr/bin/false' });

    const { image } = await check();

    assert.deepEqual((await requests.stop()).lost, {});
    assert.deepEqual(await serving('proxy'), before);
    assert.equal(image('haproxy')?.update?.state, 'kept_back');
    assert.equal(image('haproxy')?.image_id, before.imageId);
  });

  test('keeps the images in use and at most a single unused image', inLong, async () => {
    const used = (await harness.client.getInstance()).platform_images.flatMap(({ image_id }) => image_id);
    const images = await harness.docker.listImages();
    const own = images.filter(({ RepoTags }) => RepoTags?.some((tag) => tag.includes(`:${harness.instance.id}-`)));

    // One unused image is allowed, because the image of a failed update stays for the next attempt.
    assert.deepEqual(
      used.filter((id) => !own.some(({ Id }) => Id === id)),
      [],
    );
    assert.ok(own.length <= used.length + 1);
  });
});

/** Returns names and times of the lists and sources of the machine's own package manager. */
async function stateOfHost(): Promise<string[]> {
  const folders = ['/etc/apt', '/etc/apt/sources.list.d', '/var/lib/apt', '/var/lib/apt/lists'];
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  const paths = [...folders, ...files.flat()].sort();
  return Promise.all(paths.map(async (path) => `${path} ${(await stat(path)).mtimeMs}`));
}
