/** Releases of apps on a whole instance, through its API and its proxy. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { CASES_AT_ONCE, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('a live instance that deploys apps', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  describe('with apps in parallel', { concurrency: CASES_AT_ONCE }, () => {
    test('serves the first release at the app’s default host', async () => {
      const app = await harness.app();
      await until(
        'its host is known',
        () => app.get(),
        ({ status }) => status === 503,
      );

      const record = await app.deploy('v1');

      assert.equal(record.status, 'succeeded');
      assert.match((await app.get()).text, /^v1 /);
    });

    test('returns 202 with the location of the deployment if the request does not wait', inLong, async () => {
      const app = await harness.app();
      const { instance } = harness;

      const accepted = await fetch(`${instance.url}/api/apps/${app.reference}/deploy`, {
        method: 'POST',
        headers: { authorization: `Bearer ${instance.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tag: 'v1' }),
      });
      const { id } = (await accepted.json()) as Deployment;

      assert.equal(accepted.status, 202);
      assert.equal(accepted.headers.get('location'), `/api/apps/${app.reference}/deployments/${id}`);
      assert.equal((await app.ended(id)).status, 'succeeded');
    });

    test('switches to a second tag without a failed request', inLong, async () => {
      const app = await harness.deployedApp();
      const load = requestSteadily(app, ({ status }) => status === 200);

      const record = await app.deploy('v2');
      const after = await app.get();

      assert.equal(record.status, 'succeeded');
      assert.match(after.text, /^v2 /);
      assert.deepEqual((await load.stop()).wrong, []);
    });

    test('removes the old release soon after the new release is live', inLong, async () => {
      const app = await harness.deployedApp();
      const { Id: old } = await app.container();

      await app.deploy('v2');

      const left = await until(
        'only the new release is there',
        () => app.containers(),
        (all) => all.length === 1,
      );
      assert.notEqual(left[0]?.Id, old);
    });

    test('rolls back to the exact image and revision of the previous release', async () => {
      await harness.tag('moving', 'v1');
      const app = await harness.deployedApp({ health: { successes: 2 } }, 'moving');
      const { live_deployment: first } = await app.read();
      const { digest, revision } = await app.record(first ?? 0);
      await harness.client.patchApp({ params: app.params, body: { health: { successes: 1 } } });
      await app.deploy('v2');
      await harness.tag('moving', 'crash');

      const back = (await harness.client.rollbackApp({ params: app.params, query: { wait: 'true' } })) as Deployment;

      assert.deepEqual([back.status, back.digest, back.revision], ['succeeded', digest, revision]);
      assert.deepEqual([back.tag, back.rollback_of, back.trigger.kind], ['moving', first, 'rollback']);
    });

    test('prefixes log lines with the replica’s name if several replicas have written', inLong, async () => {
      const app = await harness.deployedApp();
      const logs = async () => String(await harness.client.getAppLogs({ params: app.params }));
      await until('the first has written', logs, (text) => text === 'serving v1\n');
      await app.deploy('v2');

      const text = await until('the second has written', logs, (found) => found.includes('serving v2'));

      assert.match(text, /^\d+-1 \| serving v1\n\d+-1 \| serving v2\n$/);
    });

    test('serves requests from all three replicas of an app with scale 3', async () => {
      const app = await harness.deployedApp({ scale: 3 });

      const answers = await Promise.all(Array.from({ length: 12 }, () => app.get()));

      assert.equal(new Set(answers.map(({ text }) => text)).size, 3);
      assert.equal((await app.read()).replicas.length, 3);
    });

    test('starts a deployment when the scale of an app changes', inLong, async () => {
      const app = await harness.deployedApp();

      await harness.client.patchApp({ params: app.params, body: { scale: 2 } });

      const [newest] = (await harness.client.listDeployments({ params: app.params })) as Deployment[];
      const record = await app.ended(newest?.id ?? 0);
      assert.deepEqual([record.trigger.kind, record.status, record.tag], ['scale', 'succeeded', 'v1']);
      assert.equal((await app.read()).replicas.filter(({ state }) => state === 'ready').length, 2);
    });

    test('completes a deployment when the HEALTHCHECK of the image is healthy', async () => {
      const app = await harness.app();

      assert.equal((await app.deploy('healthcheck')).status, 'succeeded');
    });

    test('completes a deployment when the health path of the app returns 2xx', async () => {
      const app = await harness.app({ health: { path: '/ready' } });
      const { id } = await app.begin('v1');
      await until(
        'it is under check',
        () => app.record(id),
        ({ phase }) => phase === 'checking',
      );
      // On a slow machine, the proxy gets the route some time after the start of the check, and returns 404 until then.
      await until(
        'the proxy has the route, but no ready replica',
        () => app.get(),
        ({ status }) => status === 503,
      );

      await app.run('touch', '/www/ready');

      assert.equal((await app.ended(id)).status, 'succeeded');
    });

    test('runs an app without a port as a worker without a route', inLong, async () => {
      const app = await harness.deployedApp({ port: null }, 'worker');

      assert.equal((await app.read()).status, 'running');
      assert.equal((await app.get()).status, 404);
      assert.match(String(await harness.client.getAppLogs({ params: app.params })), /^tick 1\n/);
    });

    test('runs the release command once, in the new image, before containers are created', async () => {
      const app = await harness.app({ scale: 2, release_command: ['sh', '-c', 'echo "migrating for $DAVIT_TAG"'] });
      await app.deploy('v1');

      const { log, steps } = await app.deploy('v2');

      const names = steps.map(({ name }) => name);
      assert.deepEqual(log, ['migrating for v2']);
      assert.ok(names.indexOf('release') < names.indexOf('create'));
      assert.equal((await app.containers()).filter(({ Labels }) => Labels['davit.kind'] === 'release').length, 0);
    });
  });

  test('returns the steps and changes of a dry run without changing any object', inLong, async () => {
    const app = await harness.deployedApp();
    const before = await harness.objects();

    const plan = await harness.client.deployApp({
      params: app.params,
      query: { dry_run: 'true' },
      body: { tag: 'v2' },
    });

    assert.ok('steps' in plan && 'changes' in plan);
    assert.deepEqual(plan.changes, ['The tag changes from v1 to v2.']);
    assert.deepEqual(await harness.objects(), before);
    assert.equal(((await harness.client.listDeployments({ params: app.params })) as Deployment[]).length, 1);
  });

  test('completes a deployment if the daemon restarts during the health check', async () => {
    const app = await harness.app({ health: { path: '/ready' } });
    const { id } = await app.begin('v1');
    await until(
      'it is under check',
      () => app.record(id),
      ({ phase }) => phase === 'checking',
    );
    const { Id: container } = await app.container();

    await harness.instance.restart();
    await app.run('touch', '/www/ready');

    const { status, error } = await app.ended(id);
    assert.deepEqual([status, error], ['succeeded', null]);
    assert.equal((await app.container()).Id, container);
  });
});
