/**
 * A registry that sends layers slowly, on a separate engine with the settings that setup gives to an engine. The engine
 * has one limit for the downloads of all projects.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { FakeRegistry, sha256 } from '../../../packages/daemon/test/support/fake-registry.ts';
import { customImage } from '../../support/docker-images.ts';
import { LiveApp, LiveHarness } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { RegistryClients } from '../../support/registry-clients.ts';

const LAYER_BYTES = 64 * 1024 * 1024;

describe('a registry that sends layers slowly', { skip: whyNoPrivateEngine() ?? false }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;
  let clients: RegistryClients;
  let slow: FakeRegistry;
  /** Address of the slow registry for the daemon. */
  let host = '';
  /** Number of layers that the slow registry is sending. */
  let sending = 0;
  /** Digests of the layers of the slow registry. */
  const layers = new Set<string>();
  const cleanup = new AsyncDisposableStack();

  before(async () => {
    engine = cleanup.use(await PrivateEngine.create({ liveRestore: false }));
    harness = cleanup.use(await LiveHarness.create({ place: engine }));
    clients = cleanup.use(await RegistryClients.create());
    const address = engine.address.replace(/\d+$/, (last) => String(Number(last) - 1));
    slow = cleanup.use(await FakeRegistry.start(null, { address, port: 0 }));
    host = `${address}:${slow.port}`;
    await harness.client.patchSettings({ body: { registries: { private_hosts: [`http://${host}`] } } });
    slow.handler = ({ url = '' }, response) => {
      const isLayer = layers.has(url.slice(url.lastIndexOf('/') + 1));
      if (isLayer) trickle(response);
      return isLayer;
    };
  });
  after(() => cleanup.disposeAsync());

  /**
   * Adds an image with four layers, which arrive faster than the minimum speed and take half an hour.
   * @returns its name
   */
  function addSlowImage(repository: string): string {
    const diffs = [1, 2, 3, 4].map(() => sha256(randomBytes(8)));
    const image = { architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: diffs } };
    const config = Buffer.from(JSON.stringify(image));
    const mediaType = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
    slow.put(`${repository}/blobs/${sha256(config)}`, config, 'application/octet-stream');
    slow.add(repository, 'v1', 'bytes', {
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        size: config.length,
        digest: sha256(config),
      },
      layers: diffs.map((digest) => ({ mediaType, size: LAYER_BYTES, digest })),
    });
    for (const digest of diffs) layers.add(digest);
    return `${host}/${repository}`;
  }

  /** Begins to deploy a slow image, and resolves when this many layers arrive from the slow registry. */
  async function beginSlow(app: LiveApp, count: number): Promise<number> {
    const { id } = await app.begin('v1');
    await until(
      `${count} layers arrive`,
      () => sending,
      (layers) => layers === count,
    );
    return id;
  }

  function trickle(response: ServerResponse): void {
    sending += 1;
    response.writeHead(200, { 'content-length': LAYER_BYTES });
    pipeline(Readable.from(slowBytes()), response, () => {
      sending -= 1;
    });
  }

  async function* slowBytes(): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(4 * 1024);
      await delay(100);
    }
  }

  /** Pushes an image with a new layer to the instance's registry. The engine keeps no part of the new layer. */
  async function pushNew(reference: string): Promise<void> {
    const { registryPort, key } = harness.instance;
    const docker = new Docker();
    const serve = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]';
    const word = randomBytes(4).toString('hex');
    const image = await customImage(docker, 'slow', [`RUN ["/bin/sh", "-c", "echo ${word} > /www/index.html"]`, serve]);
    try {
      await engine.copyImages([image]);
    } finally {
      await docker.getImage(image).remove({ force: true });
    }
    const own = `localhost:${registryPort}`;
    const name = `${own}/${reference}:v1`;
    for (const [args, input] of [
      [['login', own, '-u', 'admin', '--password-stdin'], key],
      [['tag', image, name]],
      [['push', name]],
      [['rmi', '-f', name, image]],
    ] as const) {
      const { exitCode, output } = await clients.docker(['--host', engine.dockerHost, ...args], input);
      assert.equal(exitCode, 0, output);
    }
  }

  it('does not delay deployments of other projects', async () => {
    const params = { project: await harness.project(), environment: 'production', app: 'web' };
    const { project, app: name } = params;
    await harness.client.createApp({ body: { project, name, source: 'registry', port: 8080, tag: 'none' } });
    const other = new LiveApp(harness, params);
    await pushNew(other.reference);
    const mine = await harness.app({ image: addSlowImage('acme/slow'), port: 8080 });
    const pulling = await beginSlow(mine, 3);

    const { id } = await other.begin('v1');
    const ended = await until(
      'the other deployment has ended',
      () => other.record(id),
      ({ finished_at }) => finished_at !== null,
    );

    assert.deepEqual([ended.status, ended.error], ['succeeded', null]);
    assert.deepEqual([(await mine.record(pulling)).phase, sending], ['pulling', 3]);
    await beginSlow(await harness.app({ project, name: 'slow', image: addSlowImage('acme/other'), port: 8080 }), 6);
  });
});
