/** A database is updated to newer packages in the maintenance window and keeps its data. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { madeRecipe } from '../../../packages/daemon/src/adapters/engine/docker/made/recipes.ts';
import { NAMES_IMAGE } from '../../../packages/daemon/src/adapters/engine/docker/names/container.ts';
import { FIREWALL_IMAGE } from '../../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { PROXY_IMAGE } from '../../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import { REGISTRY_IMAGE } from '../../../packages/daemon/src/adapters/registry/distribution/image.ts';
import { LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { platformImages } from '../../support/live-images.ts';
import { PackageRepository } from '../../support/package-repository.ts';
import { inLong } from '../../support/tiers.ts';

describe('a database on a platform image', { skip: whyNoEngine() ?? inLong.skip }, () => {
  test('moves to the newer image in the maintenance window and keeps its data', async () => {
    // This instance does not share its images, and the removal of its firewall rules needs a shared one.
    await platformImages();
    const recipes = [PROXY_IMAGE, REGISTRY_IMAGE, NAMES_IMAGE, FIREWALL_IMAGE, madeRecipe('redis')];
    await using repository = await PackageRepository.create(recipes);
    await using harness = await LiveHarness.create({ flags: ['--apt-sources', repository.sources] });
    const { client } = harness;
    const project = await harness.project();
    const body = { project, name: 'main', engine: 'redis' as const, version: '7.0' };
    const made = await client.createDatabase({ query: { wait: 'true' }, body });
    assert.equal(made.status, 'succeeded', JSON.stringify(made));
    const { id: before, imageId } = await container();
    await redis(before, ['SET', 'kept', 'yes']);
    const version = await repository.publishNewer('redis-tools');
    // The window covers the whole day except one minute, which is half a day away.
    await client.patchSettings({ body: { platform_images: { window_start: startAway(), window_minutes: 1_439 } } });

    await client.checkPlatformImages({});
    const task = await ended();

    assert.equal(task.status, 'succeeded', JSON.stringify(task));
    const now = await container();
    assert.notEqual(now.imageId, imageId);
    const image = (await client.getInstance()).platform_images.find(({ name }) => name === 'redis');
    assert.equal(now.imageId, image?.image_id);
    assert.ok(image?.packages.some((one) => one.name === 'redis-tools' && one.version === version));
    assert.match(await redis(now.id, ['GET', 'kept']), /yes/);
    assert.doesNotMatch((await client.getInstance()).warnings.join('\n'), /maintenance window/);

    async function container() {
      const filters = { label: [`davit.instance=${harness.instance.id}`, 'davit.kind=database'], status: ['running'] };
      const [found] = await harness.docker.listContainers({ filters });
      assert.ok(found);
      return { id: found.Id, imageId: found.ImageID };
    }

    function ended(): Promise<Task> {
      return until('the update has ended', async () => {
        const tasks = await client.listTasks({ query: {} });
        return tasks.find(({ kind, finished_at }) => kind === 'database.update' && finished_at !== null);
      });
    }

    async function redis(id: string, words: string[]): Promise<string> {
      const { username, password } = await client.getDatabaseCredentials({
        params: { project, environment: 'production', database: 'main' },
      });
      const Cmd = ['redis-cli', '--no-auth-warning', '--user', username ?? 'default', '--pass', password, ...words];
      const exec = await harness.docker.getContainer(id).exec({ Cmd, AttachStdout: true, AttachStderr: true });
      const stream = await exec.start({});
      let text = '';
      for await (const part of stream) text += part;
      return text;
    }
  });
});

/** Returns the time in twelve hours, as `HH:MM` in UTC. */
function startAway(): string {
  return new Date(Date.now() + 12 * 60 * 60_000).toISOString().slice(11, 16);
}
