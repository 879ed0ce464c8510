/** A whole instance whose engine stops and starts again. The engine is used only by this test. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { App, Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { type LiveApp, LiveHarness } from '../../support/live-harness.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { inLong } from '../../support/tiers.ts';

describe('an instance during an engine restart', { skip: whyNoPrivateEngine() ?? false }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;

  before(async () => {
    engine = await PrivateEngine.create({ liveRestore: true });
    harness = await LiveHarness.create({ place: engine });
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  /** Starts a deployment that becomes ready only on request, and returns its number while it is being checked. */
  async function underCheck(app: LiveApp): Promise<number> {
    await harness.client.patchApp({ params: app.params, body: { health: { path: '/ready' } } });
    const { id } = await app.begin('v2');
    await until(
      'it is under check',
      () => app.record(id),
      ({ phase }) => phase === 'checking',
    );
    return id;
  }

  async function atRest(app: LiveApp): Promise<App> {
    const right = ({ live_deployment, replicas, status }: App) =>
      status === 'running' && replicas.every(({ deployment }) => deployment === live_deployment);
    const seen = await until('only the live release is there', () => app.read(), right);
    const containers = await app.containers();
    assert.deepEqual(
      containers.map(({ Labels }) => Labels['davit.deployment']),
      [String(seen.live_deployment)],
    );
    return seen;
  }

  /** Returns the response of an app as soon as it responds. The proxy starts shortly after the engine. */
  async function answerOf(app: LiveApp): Promise<string> {
    const probe = () => app.get().catch(() => null);
    return (await until(`${app.host} answers`, probe, (answer) => answer?.status === 200))?.text ?? '';
  }

  async function restart(liveRestore: boolean): Promise<void> {
    await engine.stop();
    await engine.start({ liveRestore });
  }

  async function status(path: string): Promise<number> {
    return (await fetch(`${harness.instance.url}${path}`)).status;
  }

  describe('while the engine is stopped', () => {
    let app: LiveApp;

    before(async () => {
      app = await harness.deployedApp();
      await engine.stop();
      await until(
        'it is noticed',
        () => status('/readyz'),
        (code) => code === 503,
      );
    });

    test('keeps serving apps through the proxy', async () => {
      assert.match((await app.get()).text, /^v1 /);
    });

    test('reports the instance as alive but not ready', async () => {
      assert.deepEqual([await status('/healthz'), await status('/readyz')], [200, 503]);
    });

    test('returns the last observed state of an app with the observation time', async () => {
      const first = await app.read();
      const second = await app.read();

      assert.equal(first.status, 'running');
      assert.ok(first.observed_at !== null && Date.parse(first.observed_at) < Date.now());
      assert.equal(second.observed_at, first.observed_at);
    });

    test('reports the engine as unavailable and shows a warning', async () => {
      const { engine: reported, warnings } = await harness.client.getInstance();

      assert.equal(reported.available, false);
      assert.match(warnings.join(), /Docker Engine .*docker\.sock/);
    });

    test('refuses a deployment with 503 and a Retry-After header', async () => {
      const { url, key } = harness.instance;
      const response = await fetch(`${url}/api/apps/${app.reference}/deploy`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"tag":"v2"}',
      });

      assert.equal(response.status, 503);
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal(((await harness.client.listDeployments({ params: app.params })) as Deployment[]).length, 1);
    });

    test('becomes ready and deploys again when the engine is back', async () => {
      await engine.start({ liveRestore: true });
      await until(
        'it is noticed',
        () => status('/readyz'),
        (code) => code === 200,
      );

      assert.equal((await app.deploy('v2')).status, 'succeeded');
      assert.match((await app.get()).text, /^v2 /);
      await atRest(app);
    });
  });

  test('completes a deployment if containers survive the engine restart', async () => {
    const app = await harness.deployedApp();
    const id = await underCheck(app);

    await restart(true);
    const [newest] = await app.containers();
    await app.runIn(newest?.Id ?? '', 'touch', '/www/ready');

    const { status, error } = await app.ended(id);
    assert.deepEqual([status, error], ['succeeded', null]);
    assert.match((await app.get()).text, /^v2 /);
    await atRest(app);
  });

  test('fails a deployment with a reason if its container stops with the engine', inLong, async () => {
    const app = await harness.deployedApp();
    const { live_deployment: live } = await app.read();
    const id = await underCheck(app);

    /*
     * The containers survive the first restart because of the previous setting. At the second restart, the containers
     * end with the engine.
     */
    await restart(false);
    await restart(false);

    const record = await app.ended(id);
    assert.equal(record.status, 'failed');
    assert.match(record.error ?? '', /^Replica 1 .+\. Release v1 is still live\.$/);
    assert.equal((await atRest(app)).live_deployment, live);
    assert.match(await answerOf(app), /^v1 /);
  });

  for (const moment of ['begun', 'starting'] as const) {
    test(
      `reports the true result of a deployment that has ${moment === 'begun' ? 'just begun' : 'come to its start'} when the engine restarts`,
      inLong,
      async () => {
        const app = await harness.deployedApp();
        const { id } = await app.begin('v2');
        const isThere = ({ phase }: Deployment) => moment === 'begun' || phase === 'starting' || phase === 'checking';
        await until('it has come so far', () => app.record(id), isThere);

        await restart(false);

        const { status, error } = await app.ended(id);
        const serving = status === 'succeeded' ? 'v2' : 'v1';
        if (status === 'succeeded') assert.equal(error, null);
        else assert.match(`${status}: ${error}`, /^failed: .+ Release v1 is still live\.$/);
        assert.match(await answerOf(app), new RegExp(`^${serving} `));
        await atRest(app);
      },
    );
  }

  test('routes every host to its own app if containers start in another order', inLong, async () => {
    const first = await harness.deployedApp({ name: 'a' });
    const { project } = first.params;
    const apps = [
      first,
      await harness.deployedApp({ project, name: 'b' }),
      await harness.deployedApp({ project, name: 'c' }),
    ];
    const expected = await Promise.all(apps.map(async (app) => `v1 ${(await app.read()).replicas[0]?.name}\n`));
    await harness.instance.stop();
    const ids = await Promise.all(apps.map(async (app) => (await app.container()).Id));

    for (const id of ids) await harness.docker.getContainer(id).stop({ t: 1 });
    await restart(false);
    for (const id of ids.toReversed()) await harness.docker.getContainer(id).start();

    const wrong: string[] = [];
    for (const [index, app] of apps.entries()) {
      await until(
        app.host,
        () => app.get().catch(() => null),
        (answer) => {
          if (answer?.status === 200 && answer.text !== expected[index]) wrong.push(`${app.host}: ${answer.text}`);
          return answer?.status === 200;
        },
      );
    }
    assert.deepEqual(wrong, []);
    await harness.instance.start();
    for (const app of apps) await atRest(app);
  });
});
