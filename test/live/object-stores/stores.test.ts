/** A managed object store on a real engine: data is kept whatever happens to its container. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

const IMAGE = 'chrislusf/seaweedfs:4.48';

const isHere = await new Docker()
  .getImage(IMAGE)
  .inspect()
  .then(
    () => true,
    () => false,
  );
const skip = isHere ? inLong.skip : `the image ${IMAGE} is not at this engine, and no registry is asked for it here`;

describe('an object store on the engine', { skip }, () => {
  let harness: LiveHarness;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    project = await harness.project();
    const params = { project, environment: 'production' };
    const task = await harness.client.createObjectStore({ params, query: { wait: 'true' }, body: { name: 'files' } });
    assert.equal(task.status, 'succeeded', `${task.error}\n${task.log?.join('\n')}`);
  });
  after(() => harness[Symbol.asyncDispose]());

  const params = { object_store: 'files' };
  const bucket = { object_store: 'files', bucket: 'pictures' };
  const presigned = async (method: 'GET' | 'PUT') => {
    const { url } = await harness.client.presignObject({ params: bucket, body: { key: 'a/ship.txt', method } });
    // The instance's own name means this machine, which may not be able to resolve the name.
    const { port } = new URL(url);
    return { url: url.replace(/^http:\/\/[^/]+/, `http://127.0.0.1:${port}`), host: new URL(url).host };
  };

  it('accepts presigned uploads and keeps objects after a stop and start', async () => {
    await harness.client.createBucket({ params, body: { name: 'pictures' } });
    const check = await harness.client.checkObjectStore({ params, query: { bucket: 'pictures' } });
    assert.equal(check.ok, true, JSON.stringify(check.steps));

    await harness.client.exposeObjectStore({ params, query: { wait: 'true' } });
    const up = await presigned('PUT');
    assert.equal((await fetch(up.url, { method: 'PUT', body: 'ahoy', headers: { host: up.host } })).status, 200);
    await harness.client.stopObjectStore({ params, query: { wait: 'true' } });
    await harness.client.startObjectStore({ params, query: { wait: 'true' } });

    const entries = await harness.client.listObjects({ params: bucket, query: { flat: 'true' } });
    assert.deepEqual(
      entries.map(({ key, size_bytes }) => [key, size_bytes]),
      [['a/ship.txt', 4]],
    );
  });

  it('refuses requests without keys and exposes no internal ports', async () => {
    const { exposed } = await harness.client.getObjectStore({ params });
    assert.equal((await fetch(`http://127.0.0.1:${exposed?.port}/pictures/a/ship.txt`)).status, 403);
    const label = [`davit.instance=${harness.instance.id}`, 'davit.kind=store'];
    const [container] = await harness.docker.listContainers({ filters: { label } });
    const address = Object.values(container?.NetworkSettings.Networks ?? {})[0]?.IPAddress;
    for (const port of [8080, 8888, 9333]) await assert.rejects(fetch(`http://${address}:${port}/`), `port ${port}`);
  });
});
