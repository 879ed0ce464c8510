/** Recovery of apps after the engine has ended or lost their containers, on a separate engine. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { type LiveApp, LiveHarness } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { inLong } from '../../support/tiers.ts';

describe('apps after an engine failure', { skip: whyNoPrivateEngine() ?? false }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;
  const apps: LiveApp[] = [];

  before(async () => {
    engine = await PrivateEngine.create({ liveRestore: false });
    harness = await LiveHarness.create({ place: engine });
    apps.push(...(await Promise.all([harness.deployedApp(), harness.deployedApp({ scale: 2 })])));
    const withVolume = await harness.app();
    await harness.client.addVolume({ params: withVolume.params, body: { path: '/data' } });
    const withPort = await harness.app({ project: await harness.project() });
    await harness.client.addTcpPort({ params: withPort.params, body: { container_port: 8080 } });
    const more = [withVolume, withPort];
    for (const { status } of await Promise.all(more.map((app) => app.deploy('v1')))) assert.equal(status, 'succeeded');
    apps.push(...more);
  });
  after(async () => {
    try {
      await harness?.[Symbol.asyncDispose]();
    } finally {
      await engine?.[Symbol.asyncDispose]();
    }
  });

  async function allAnswer(): Promise<void> {
    for (const app of apps) {
      const answer = () => app.get().catch(() => null);
      await until(`${app.host} answers`, answer, (got) => got?.status === 200);
    }
  }

  async function restart(): Promise<void> {
    await engine.stop();
    await engine.start({ liveRestore: false });
  }

  async function removeContainers(app: LiveApp): Promise<void> {
    for (const { Id } of await app.containers()) await harness.docker.getContainer(Id).remove({ force: true });
  }

  /** Removes the network of running containers while no instance can restore it. */
  async function removeNetworkOf(app: LiveApp): Promise<void> {
    await harness.instance.stop();
    const [container] = await app.containers();
    for (const name of Object.keys(container?.NetworkSettings.Networks ?? {})) {
      const network = harness.docker.getNetwork(name);
      const { Containers = {} } = await network.inspect();
      for (const Container of Object.keys(Containers)) await network.disconnect({ Container, Force: true });
      await network.remove();
    }
  }

  test('are served again after an engine restart that ended all containers', async () => {
    await restart();

    await allAnswer();
  });

  test('are served again if containers were removed before the engine restart', inLong, async () => {
    for (const app of apps) await removeContainers(app);
    await restart();

    await allAnswer();
  });

  test('are served again after a network was removed from running containers', inLong, async () => {
    for (const app of apps.slice(0, 1)) await removeNetworkOf(app);
    await harness.instance.start();

    await allAnswer();
  });

  test('are served again after an engine restart that followed a network removal', inLong, async () => {
    for (const app of apps.slice(0, 1)) await removeNetworkOf(app);
    await restart();
    await harness.instance.start();

    await allAnswer();
  });

  test('show the reason if their image is missing, and recover when the image returns', async () => {
    const app = await harness.deployedApp();
    const [container] = await app.containers();
    const image = harness.docker.getImage(container?.ImageID ?? '');
    // The archive contains the name of the image, which the end of the test environment removes.
    const archive = await buffer(await harness.docker.getImage(`${harness.image}:v1`).get());
    /*
     * All containers are removed before a new one is created, because the engine keeps an image that a running
     * container uses.
     */
    await harness.instance.stop();
    for (const each of [...apps, app]) await removeContainers(each);
    await image.remove({ force: true });
    await harness.instance.start();

    const gone = await until(
      'the reason is shown',
      () => app.read(),
      ({ status_reason: reason }) => reason !== null,
    );
    assert.equal(gone.status, 'down');
    assert.match(gone.status_reason ?? '', /Docker no longer has the image/);

    (await harness.docker.loadImage(Readable.from([archive]))).resume();
    await allAnswer();
    await until(
      'it runs and shows no reason',
      () => app.read(),
      ({ status, status_reason: reason }) => status === 'running' && reason === null,
    );
  });
});
