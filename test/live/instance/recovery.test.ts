/** Faults of Davit's own containers at the engine. The containers must serve again afterwards. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import type Docker from 'dockerode';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { pause } from '../../support/pause.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';

describe('container recovery of an instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp({ image: await testAppImage(harness.docker) });
  });
  after(() => harness?.[Symbol.asyncDispose]());

  /** Returns the only container of a kind. While a container is being replaced, there may be two or none. */
  async function container(kind: string): Promise<Docker.Container> {
    const label = [`davit.instance=${harness.instance.id}`, `davit.kind=${kind}`];
    const list = () => harness.docker.listContainers({ all: true, filters: { label } });
    const [only] = await until(`there is one ${kind}`, list, ({ length }) => length === 1);
    return harness.docker.getContainer(only?.Id ?? '');
  }

  const isPaused = async (one: Docker.Container) => (await one.inspect()).State.Paused;
  const isNot = (value: boolean) => !value;
  const answers = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  const served = () =>
    app.get().then(
      ({ status }) => status,
      () => 0,
    );
  const ready = () => answers(`${harness.instance.url}/readyz`);

  for (const how of ['stop', 'kill'] as const) {
    test(`replaces the proxy after a ${how} of its container`, how === 'stop' ? inLong : {}, async () => {
      const before = await container('proxy');

      await before[how]();
      await until('the app is served', served, (status) => status === 200);

      assert.notEqual((await container('proxy')).id, before.id);
    });
  }

  test('resumes a paused proxy in the same container', async () => {
    const proxy = await container('proxy');

    await pause(proxy);
    await until('it goes on', () => isPaused(proxy), isNot);

    await until('the app is served', served, (status) => status === 200);
    assert.equal((await container('proxy')).id, proxy.id);
  });

  test('resumes a paused app in the same container', async () => {
    const { Id: id } = await app.container();

    await pause(harness.docker.getContainer(id));
    await until('it goes on', () => isPaused(harness.docker.getContainer(id)), isNot);

    await until('the app is served', served, (status) => status === 200);
    assert.equal((await app.container()).Id, id);
  });

  test('resumes a paused database in the same container', inLong, async () => {
    const { project } = app.params;
    const body = { project, name: 'db', engine: 'redis' as const };
    const task = await harness.client.createDatabase({ query: { wait: 'true' }, body });
    assert.partialDeepStrictEqual(task, { status: 'succeeded' });
    const one = await container('database');

    await pause(one);
    await until('it goes on', () => isPaused(one), isNot);

    assert.equal((await container('database')).id, one.id);
  });

  test('completes a deployment if the proxy is killed during the deployment', inLong, async () => {
    const { id } = await app.begin('v2');
    const running = await container('proxy');
    await until(
      'the new release is being started',
      () => app.record(id),
      ({ phase, status }) =>
        phase === 'starting' || phase === 'checking' || phase === 'switching' || status !== 'running',
    );

    await running.kill();
    const { status, error } = await app.ended(id);
    assert.deepEqual([status, error], ['succeeded', null]);
    await until('the app is served', served, (status) => status === 200);
  });

  test('resumes a paused registry in the same container', async () => {
    const registry = await until(
      'the registry is there',
      () => container('registry').then((one) => one.inspect()),
      ({ State }) => State.Running,
    ).then(({ Id }) => harness.docker.getContainer(Id));

    await pause(registry);
    await until('it goes on', () => isPaused(registry), isNot);

    assert.equal((await container('registry')).id, registry.id);
  });

  test('resumes the resolver after a pause of its container', async () => {
    const resolver = await container('names');

    await pause(resolver);
    await until('it goes on', () => isPaused(resolver), isNot);
  });

  test('reports the instance as not ready while another program holds a proxy port', async () => {
    await until('ready', ready, (status) => status === 200);
    await (await container('proxy')).stop();
    const other = createServer().listen(harness.instance.httpPort);
    await once(other, 'listening');

    await until('not ready', ready, (status) => status === 503);
    other.close();
    await until('ready again', ready, (status) => status === 200);

    assert.equal(await served(), 200);
  });
});
