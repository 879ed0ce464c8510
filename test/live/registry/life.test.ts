/** The registry container of a whole instance: it is taken over, restarted, and its failures are explained. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { testImage } from '../../support/docker-images.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('the registry of an instance', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  let instance: Instance;
  before(async () => {
    instance = await startInstance();
    await serving();
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  const container = () => docker.getContainer(`davit-${instance.id}-registry`);

  const proxies = () =>
    docker.listContainers({ all: true, filters: { label: [`davit.instance=${instance.id}`, 'davit.kind=proxy'] } });

  function serving(): Promise<true> {
    return until('the registry answers', async () => {
      const answer = await fetch(`http://127.0.0.1:${instance.registryPort}/v2/`).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
  }

  function warned(by: Instance, words: RegExp): Promise<string> {
    return until('the instance says what is wrong', async () => {
      const { warnings } = await by.client.getInstance();
      return warnings.find((text) => words.test(text)) ?? null;
    });
  }

  it('keeps running while the daemon is stopped, and is adopted at the next start', async () => {
    const { Id, State } = await container().inspect();
    await instance.stop();
    await serving();
    await instance.start();

    // The request uses the daemon's own token, which the previous daemon had not signed.
    await until('the daemon has looked at it', async () => {
      const { status } = await fetch(`${instance.url}/api/registry/repositories`, {
        headers: { authorization: `Bearer ${instance.key}` },
      });
      return status === 200 ? true : null;
    });
    const now = await container().inspect();
    assert.deepEqual([now.Id, now.State.StartedAt], [Id, State.StartedAt]);
  });

  it('is restarted after its container was killed or removed', inLong, async () => {
    await container().kill();
    await serving();
    await container().remove({ force: true });
    await serving();
    assert.equal((await container().inspect()).HostConfig.RestartPolicy?.Name, 'always');
  });

  it('exposes no secret in its container settings and keeps its configuration file private', async () => {
    const { HostConfig, Config } = await container().inspect();
    assert.doesNotMatch(JSON.stringify([HostConfig, Config]), /Bearer|PRIVATE KEY|CERTIFICATE/);
    assert.equal(HostConfig.NetworkMode, 'host');
    assert.deepEqual(HostConfig.CapDrop, ['ALL']);
    const { mode } = await stat(join(instance.dataDir, 'registry/config/config.yml'));
    assert.equal(mode & 0o777, 0o600);
  });

  for (const [name, address] of [
    ['its own address', '127.0.0.2'],
    ['the address of the proxy', '127.0.0.1'],
  ] as const) {
    it(`reports a port that is occupied at ${name}, keeps the proxy running, and recovers`, inLong, async () => {
      await instance.stop();
      await container().remove({ force: true });
      for (const { Id } of await proxies()) await docker.getContainer(Id).remove({ force: true });
      const other = createServer((socket) => socket.destroy()).listen(instance.registryPort, address);
      await once(other, 'listening');
      await instance.start();
      const said = await warned(instance, /registry cannot listen/);
      assert.ok(said.startsWith(`The registry cannot listen on ${address}:${instance.registryPort}, `), said);
      assert.match(said, /DAVIT_REGISTRY_PORT\.$/);
      // Any response of the proxy shows that it serves apps.
      const { status } = await fetch(`http://127.0.0.1:${instance.httpPort}/`);
      assert.ok(status > 0);

      other.close();

      await serving();
      await until('nothing is wrong any more', async () => {
        const { warnings } = await instance.client.getInstance();
        return warnings.some((text) => /registry/.test(text)) ? null : true;
      });
    });
  }

  it('is refused with an explanation if the image contains another program', inLong, async () => {
    const image = await testImage(docker, 'web');
    await using other = await startInstance({ env: { DAVIT_REGISTRY_IMAGE: image } });

    const said = await warned(other, /registry/);

    assert.match(
      said,
      /not contain the registry program CNCF Distribution\. Set DAVIT_REGISTRY_IMAGE to an image with version 2\.8 or later of this program\.$/,
    );
  });
});
