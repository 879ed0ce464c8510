/** Records of the names under which this instance pulled images. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { bootDaemon, app as makeApp, project, type TestDaemon, user } from '@davit/testkit';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { pulledImage, recordPulled } from '../../src/db/tables/pulled-image.ts';
import { beginPull, dropPulled } from '../../src/resources/images/pulled.ts';
import { FakeRegistry } from '../support/fake-registry.ts';

async function deploy(daemon: TestDaemon, app: string, tag: string, key = daemon.key): Promise<Deployment> {
  return JSON.parse((await daemon.call('POST', `/api/apps/${app}/deploy?wait=true`, { tag }, key)).text);
}

it('a pull does not overwrite an image name assigned on the server during the pull', async () => {
  await using daemon = await bootDaemon({ realRegistries: true });
  await using registry = await FakeRegistry.start();
  await daemon.client.patchSettings({ body: { registries: { private_hosts: [registry.host] } } });
  registry.add('acme/tool', 'v1', 'what a member published');
  const name = `${registry.host}/acme/tool:v1`;
  let built: string | null = null;
  registry.handler = () => {
    // The first requests belong to the step before the pull.
    if (pulledImage(daemon.core.store, name) !== undefined)
      built ??= daemon.engine.controls.addImage(name, { exposedPorts: [8080], digest: null }).id;
    return false;
  };
  const { reference } = await makeApp(daemon, { image: `${registry.host}/acme/tool`, pull: 'always' });

  await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });

  assert.notEqual(built, null);
  assert.equal((await daemon.engine.findImage(name))?.id, built);
});

describe('an image built under a name with an earlier failed pull', () => {
  const name = 'acme/web:v5';
  let daemon: TestDaemon;
  let built: string;
  beforeEach(async () => {
    daemon = await bootDaemon();
    const own = await project(daemon);
    const member = user(daemon, 'member', [own]);
    daemon.engine.controls.addImage(name, { where: 'registry', exposedPorts: [8080] });
    const { reference } = await makeApp(daemon, { project: own, image: 'acme/web' });
    daemon.engine.controls.fail('pullImage', { times: 1, error: new EngineRefused('broken layer') });
    assert.equal((await deploy(daemon, reference, 'v5', member.key)).status, 'failed');
    assert.equal(pulledImage(daemon.core.store, name)?.image_id, null);
    built = daemon.engine.controls.addImage(name, { exposedPorts: [8080], digest: null }).id;
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  for (const forget of [true, false]) {
    it(`is kept and deployed, with images.forget_pulled ${forget}`, async () => {
      await daemon.client.patchSettings({ body: { images: { forget_pulled: forget } } });

      const { names } = await daemon.client.collectImages({ query: { dry_run: 'false' } });

      assert.deepEqual(names, []);
      assert.equal((await daemon.engine.findImage(name))?.id, built);
      const other = await makeApp(daemon, { image: 'acme/web' });
      const { status, error } = await deploy(daemon, other.reference, 'v5');
      assert.equal(status, 'succeeded', `${error}`);
      const container = daemon.engine.controls.containers().find(({ app }) => app === other.reference);
      assert.equal(container?.imageId, built);
    });
  }
});

it('the next pull does not overwrite a name assigned on the server after a failed pull', async () => {
  await using daemon = await bootDaemon({ realRegistries: true });
  await using registry = await FakeRegistry.start();
  await daemon.client.patchSettings({
    body: { registries: { private_hosts: [registry.host] }, images: { forget_pulled: false } },
  });
  registry.add('acme/tool', 'v1', 'what a member published');
  const name = `${registry.host}/acme/tool:v1`;
  // The first requests belong to the step before the pull.
  registry.handler = (_, response) =>
    pulledImage(daemon.core.store, name) !== undefined && !!response.writeHead(404).end();
  const { reference } = await makeApp(daemon, { image: `${registry.host}/acme/tool`, pull: 'always' });
  assert.equal((await deploy(daemon, reference, 'v1')).status, 'failed');
  registry.handler = null;
  const built = daemon.engine.controls.addImage(name, { exposedPorts: [8080], digest: null });

  await daemon.client.collectImages({ query: { dry_run: 'false' } });
  assert.equal((await deploy(daemon, reference, 'v1')).status, 'succeeded');

  assert.equal((await daemon.engine.findImage(name))?.id, built.id);
});

it('a pull during the removal of its image name keeps its record', async () => {
  await using daemon = await bootDaemon();
  const { store, now } = daemon.core;
  const [reference, imageId] = ['registry.invalid/acme/web:v1', `sha256:${'b'.repeat(64)}`];
  store.tx((tx) => recordPulled(tx, { reference, image_id: imageId }, now()));
  const engine = {
    findImage: async () => null,
    untagImage: async () => {
      // The engine has removed the name, and a deployment pulls the image again before the removal is recorded.
      await beginPull({ store, now, engine } as never, reference, new AbortController().signal);
      return true;
    },
  };

  await dropPulled({ store, now, engine } as never, reference, imageId);

  assert.equal(pulledImage(store, reference)?.image_id, null);
});
