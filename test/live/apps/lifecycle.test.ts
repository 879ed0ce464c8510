/** Stops, starts, restarts and promotions of apps on a whole instance with a real engine and proxy. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { type Answer, type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { inLong } from '../../support/tiers.ts';

const CLIENTS = 8;
const MIB = 2 ** 20;

const isOk = ({ status }: Answer) => status === 200;

async function gone(app: LiveApp): Promise<void> {
  await until(
    'its containers are gone',
    () => app.containers(),
    (all) => all.length === 0,
  );
}

describe('app lifecycle on a real instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  const stop = (app: LiveApp) => harness.client.stopApp({ params: app.params, query: { wait: 'true' } });
  const start = async (app: LiveApp) =>
    (await harness.client.startApp({ params: app.params, query: { wait: 'true' } })) as Deployment;

  test('a restart under load loses no request and replaces the container', async () => {
    const app = await harness.deployedApp({ health: { path: '/' } });
    const { Id: old } = await app.container();
    const clients = Array.from({ length: CLIENTS }, () => requestSteadily(app, isOk));

    const record = await harness.client.restartApp({ params: app.params, query: { wait: 'true' } });
    await until(
      'the old container is gone',
      () => app.containers(),
      (all) => all.every(({ Id }) => Id !== old),
    );
    const answers = await Promise.all(clients.map((client) => client.stop()));

    assert.deepEqual([record.status, record.trigger.kind], ['succeeded', 'restart']);
    assert.deepEqual(
      answers.flatMap(({ wrong }) => wrong),
      [],
    );
    assert.ok(answers.every(({ sent }) => sent > 1));
  });

  test('a stopped app responds with 503 immediately, and its container is removed', async () => {
    const app = await harness.deployedApp();

    const seen = await harness.client.stopApp({ params: app.params });
    const answer = await app.get();
    await gone(app);

    assert.deepEqual([seen.status, answer.status], ['stopped', 503]);
  });

  test('a stopped app stays stopped after daemon restarts and can be started again', async () => {
    const app = await harness.deployedApp();
    const live = await app.record((await app.read()).live_deployment ?? 0);
    await stop(app);

    await harness.instance.restart();
    await harness.instance.kill();
    await harness.instance.start();
    const between = [(await app.read()).status, (await app.get()).status, (await app.containers()).length];
    const record = await start(app);

    assert.deepEqual(between, ['stopped', 503, 0]);
    assert.deepEqual([record.status, record.digest, record.tag], ['succeeded', live.digest, 'v1']);
    assert.match((await app.get()).text, /^v1 /);
  });

  test('a daemon that is killed right after a stop request completes the stop', inLong, async () => {
    const app = await harness.deployedApp();

    await harness.client.stopApp({ params: app.params });
    await harness.instance.kill();
    await harness.instance.start();

    await gone(app);
    assert.equal((await app.read()).status, 'stopped');
  });

  test('an app with a volume keeps its data after a stop and a start', inLong, async () => {
    const app = await harness.app();
    await harness.client.addVolume({ params: app.params, body: { path: '/data' } });
    await app.deploy('v1');
    await app.run('sh', '-c', 'echo kept > /data/word');

    await harness.client.stopApp({ params: app.params });
    const record = await start(app);
    await harness.instance.atRest(app.params);

    assert.equal(record.status, 'succeeded');
    assert.match((await app.run('cat', '/data/word')).output, /kept/);
    assert.match((await app.get()).text, /^v1 /);
  });

  test('a promotion runs the same image even if the tag has moved', inLong, async () => {
    const project = await harness.project();
    await harness.client.createEnvironment({ params: { project }, body: { slug: 'staging' } });
    await harness.tag('moving', 'v1');
    const staging = await harness.deployedApp({ project, environment: 'staging' }, 'moving');
    const production = await harness.app({ project });
    await harness.tag('moving', 'v2');

    const record = (await harness.client.deployApp({
      params: production.params,
      query: { wait: 'true' },
      body: { from: staging.reference },
    })) as Deployment;

    assert.deepEqual([record.status, record.trigger.kind, record.tag], ['succeeded', 'promote', 'moving']);
    assert.equal((await production.container()).ImageID, (await staging.container()).ImageID);
    assert.match((await production.get()).text, /^moving /);
  });

  test('deleting a deployment removes its image and keeps the live image', inLong, async () => {
    const app = await harness.deployedApp();
    const first = (await app.read()).live_deployment ?? 0;
    await app.deploy('v2');
    const second = (await app.read()).live_deployment ?? 0;
    await harness.instance.atRest(app.params);
    /*
     * Its address is free as soon as the proxy's configuration no longer contains it, shortly after its container is
     * removed.
     */
    const forget = () =>
      harness.client.deleteDeployment({ params: { ...app.params, deployment: String(first) } }).then(
        () => null,
        (error: Error) => error.message,
      );

    await until('it is forgotten', forget, (problem) => problem === null);

    const held = (await harness.objects()).filter((name) => name.includes(`/${app.reference}:`));
    assert.deepEqual(held, [`davit-${harness.instance.id}/${app.reference}:${second}`]);
  });

  test('a CPU limit above the server’s cores is refused and changes nothing', inLong, async () => {
    const app = await harness.deployedApp();
    const { revision } = await app.read();

    await assert.rejects(
      harness.client.patchApp({ params: app.params, body: { limits: { cpu: 512 } } }),
      /limits\.cpu: must be at most \d+, the number of CPU cores of the server/,
    );

    assert.equal((await app.read()).revision, revision);
  });

  test('concurrent limit changes leave containers that match the usage in the quota', inLong, async () => {
    const project = await harness.project();
    const app = await harness.deployedApp({ project, scale: 3, limits: { memory_bytes: 64 * MIB } });
    const change = (size: number) =>
      harness.client.patchApp({ params: app.params, body: { limits: { memory_bytes: size * MIB } } });

    for (let round = 0; round < 3; round++) {
      await Promise.all([256, 64, 250, 65].map(change));

      const containers = (await app.containers()).map(({ Id }) => harness.docker.getContainer(Id).inspect());
      const sizes = (await Promise.all(containers)).map(({ HostConfig }) => HostConfig.Memory ?? 0);
      const { used } = await harness.client.getProjectQuota({ params: { project } });
      assert.equal(sizes.length, 3);
      assert.equal(
        sizes.reduce((total, size) => total + size, 0),
        used.memory_bytes,
      );
    }
  });
});

describe('a server restart', { skip: whyNoPrivateEngine() ?? inLong.skip }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;

  before(async () => {
    engine = await PrivateEngine.create({ liveRestore: false });
    harness = await LiveHarness.create({ place: engine });
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  test('starts running apps again and keeps stopped apps stopped', async () => {
    const runs = await harness.deployedApp();
    const stopped = await harness.deployedApp();
    const late = await harness.deployedApp();
    await harness.client.stopApp({ params: stopped.params, query: { wait: 'true' } });

    await engine.stop();
    await harness.client.stopApp({ params: late.params });
    await harness.instance.kill();
    await engine.start({ liveRestore: false });
    await harness.instance.start();

    await until(
      'what ran answers',
      () => runs.get().catch(() => null),
      (answer) => answer?.status === 200,
    );
    await gone(late);
    assert.deepEqual(
      [(await stopped.read()).status, (await late.read()).status, (await stopped.containers()).length],
      ['stopped', 'stopped', 0],
    );
    assert.deepEqual([(await stopped.get()).status, (await late.get()).status], [503, 503]);
  });
});
