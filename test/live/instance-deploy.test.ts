/** Releases of apps on a whole instance, through its API and its proxy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { emptyRegistry, portOf } from '../support/docker-rig.ts';
import { askSteadily, type LiveApp, LiveWorld, until, whyNoEngine } from '../support/live-world.ts';

describe('releases on a whole instance', { skip: whyNoEngine() ?? false }, () => {
  let world: LiveWorld;

  before(async () => {
    world = await LiveWorld.create();
  });
  after(() => world?.[Symbol.asyncDispose]());

  test('a first deploy answers at the app’s default host', async () => {
    const app = await world.app();
    await until(
      'its host is known',
      () => app.get(),
      ({ status }) => status === 503,
    );

    const record = await app.deploy('v1');

    assert.equal(record.status, 'succeeded');
    assert.match((await app.get()).text, /^v1 /);
  });

  test('a deploy that is not waited for is a record to poll', async () => {
    const app = await world.app();
    const { instance } = world;

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

  test('a second tag takes over without a request that fails', async () => {
    const app = await world.deployedApp();
    const asking = askSteadily(app, ({ status }) => status === 200);

    const record = await app.deploy('v2');
    const after = await app.get();

    assert.equal(record.status, 'succeeded');
    assert.match(after.text, /^v2 /);
    assert.deepEqual((await asking.stop()).wrong, []);
  });

  test('the old release is gone soon after the new one is live', async () => {
    const app = await world.deployedApp();
    const { Id: old } = await app.container();

    await app.deploy('v2');

    const left = await until(
      'only the new release is there',
      () => app.containers(),
      (all) => all.length === 1,
    );
    assert.notEqual(left[0]?.Id, old);
  });

  test('a rollback runs the exact image and revision of before', async () => {
    await world.tag('moving', 'v1');
    const app = await world.deployedApp({ health: { successes: 2 } }, 'moving');
    const { live_deployment: first } = await app.read();
    const { digest, revision } = await app.record(first ?? 0);
    await world.client.patchApp({ params: app.params, body: { health: { successes: 1 } } });
    await app.deploy('v2');
    await world.tag('moving', 'crash');

    const back = (await world.client.rollBackApp({ params: app.params, query: { wait: 'true' } })) as Deployment;

    assert.deepEqual([back.status, back.digest, back.revision], ['succeeded', digest, revision]);
    assert.deepEqual([back.tag, back.rollback_of, back.trigger.kind], ['moving', first, 'rollback']);
  });

  test('logs are what the live release’s instances wrote', async () => {
    const app = await world.deployedApp();
    await app.deploy('v2');

    const text = await world.client.getLogs({ params: app.params });

    assert.equal(text, 'serving v2\n');
  });

  test('an app of three answers from three instances', async () => {
    const app = await world.deployedApp({ scale: 3 });

    const answers = await Promise.all(Array.from({ length: 12 }, () => app.get()));

    assert.equal(new Set(answers.map(({ text }) => text)).size, 3);
    assert.equal((await app.read()).instances.length, 3);
  });

  test('a changed scale starts a deployment of its own', async () => {
    const app = await world.deployedApp();

    await world.client.patchApp({ params: app.params, body: { scale: 2 } });

    const [newest] = (await world.client.listDeployments({ params: app.params })) as Deployment[];
    const record = await app.ended(newest?.id ?? 0);
    assert.deepEqual([record.trigger.kind, record.status, record.tag], ['scale', 'succeeded', 'v1']);
    assert.equal((await app.read()).instances.filter(({ state }) => state === 'ready').length, 2);
  });

  test('a dry run tells the steps and changes nothing', async () => {
    const app = await world.deployedApp();
    const before = await world.objects();

    const plan = await world.client.deployApp({ params: app.params, query: { dry_run: 'true' }, body: { tag: 'v2' } });

    assert.ok('steps' in plan && 'changes' in plan);
    assert.deepEqual(plan.changes, ['v1 becomes v2.']);
    assert.deepEqual(await world.objects(), before);
    assert.equal(((await world.client.listDeployments({ params: app.params })) as Deployment[]).length, 1);
  });

  describe('a deploy that fails leaves the old release as it is', () => {
    let app: LiveApp;

    before(async () => {
      app = await world.deployedApp({ health: { grace_s: 1 } });
    });

    /** Deploys beside steady requests and proves that nothing of what serves was touched. */
    async function failing(tag: string): Promise<Deployment> {
      const { Id: old } = await app.container();
      const asking = askSteadily(app, ({ text }) => text.startsWith('v1 '));
      const record = await app.deploy(tag);
      const { wrong } = await asking.stop();
      assert.deepEqual(wrong, []);
      assert.equal(record.status, 'failed');
      assert.equal((await app.container()).Id, old);
      assert.equal((await app.read()).live_deployment, (await app.read()).instances[0]?.deployment);
      return record;
    }

    test('when it exits', async () => {
      const { error, log } = await failing('crash');

      assert.equal(error, 'Instance 1 exited with code 3. Release v1 keeps serving.');
      // Two streams: which of them the engine reads first is open.
      assert.deepEqual(log?.sort(), ['fatal: it was told to crash', 'starting']);
    });

    test('when it never becomes ready', async () => {
      const { error, log } = await failing('silent');

      assert.match(
        error ?? '',
        /^Instance 1 did not become ready within 1 s \(connection to port 8080: .+\)\. Release v1/,
      );
      assert.deepEqual(log, ['starting']);
    });

    test('when it listens on another port', async () => {
      const listening = ['httpd', '-f', '-p', '8080', '-h', '/www'];
      await world.client.patchApp({ params: app.params, body: { port: 9999, command: listening } });
      const { error } = await failing('two-ports');
      await world.client.patchApp({ params: app.params, body: { port: 8080, command: null } });

      assert.match(error ?? '', /connection to port 9999/);
    });

    test('when its HEALTHCHECK says that it is sick', async () => {
      const { error } = await failing('sick');

      assert.match(error ?? '', /HEALTHCHECK: .*it is sick/);
    });

    test('when no registry has the image', async () => {
      const registry = await emptyRegistry();
      try {
        await world.client.patchApp({ params: app.params, body: { image: `127.0.0.1:${portOf(registry)}/nothing` } });
        const { error, phase } = await failing('1');
        assert.match(error ?? '', /127\.0\.0\.1:\d+\/nothing:1 cannot be found: .*manifest unknown/);
        assert.equal(phase, null);
      } finally {
        await world.client.patchApp({ params: app.params, body: { image: world.image } });
        registry.close();
      }
    });
  });

  test('a release is ready when its HEALTHCHECK is healthy', async () => {
    const app = await world.app();

    assert.equal((await app.deploy('healthcheck')).status, 'succeeded');
  });

  test('a release is ready when its health path answers 2xx', async () => {
    const app = await world.app({ health: { path: '/ready' } });
    const { id } = await app.begin('v1');
    await until(
      'it is under check',
      () => app.record(id),
      ({ phase }) => phase === 'checking',
    );
    assert.equal((await app.get()).status, 503);

    await app.run('touch', '/www/ready');

    assert.equal((await app.ended(id)).status, 'succeeded');
  });

  test('a deploy that is cancelled under check leaves what is live', async () => {
    const app = await world.deployedApp();
    const { Id: old } = await app.container();
    const { id } = await app.begin('silent');
    await until(
      'it is under check',
      () => app.record(id),
      ({ phase }) => phase === 'checking',
    );

    const params = { ...app.params, deployment: String(id) };
    const record = (await world.client.cancelDeployment({ params })) as Deployment;

    assert.equal(record.status, 'cancelled');
    assert.equal((await app.container()).Id, old);
    assert.match((await app.get()).text, /^v1 /);
  });

  test('a worker runs without a route and is ready when it stays up', async () => {
    const app = await world.deployedApp({ port: null }, 'worker');

    assert.equal((await app.read()).status, 'running');
    assert.equal((await app.get()).status, 404);
    assert.match(String(await world.client.getLogs({ params: app.params })), /^tick 1\n/);
  });

  test('a release command runs once, from the new image, before anything starts', async () => {
    const app = await world.app({ release_command: ['sh', '-c', 'echo "migrating for $DAVIT_TAG"; hostname'] });
    await app.deploy('v1');

    const record = await app.deploy('v2');
    const again = record.steps.map(({ name }) => name);

    assert.equal(record.log?.[0], 'migrating for v2');
    assert.equal(record.log?.length, 2);
    assert.ok(again.indexOf('release') < again.indexOf('create'));
    assert.deepEqual(
      (
        await until(
          'one container',
          () => app.containers(),
          (all) => all.length === 1,
        )
      ).length,
      1,
    );
  });

  test('a release command that fails stops the deploy before anything starts', async () => {
    const app = await world.deployedApp();
    const { Id: old } = await app.container();
    const command = ['sh', '-c', 'echo "no such column"; exit 4'];
    await world.client.patchApp({ params: app.params, body: { release_command: command } });

    const record = await app.deploy('v2');

    assert.equal(record.error, 'The release command exited with code 4. Release v1 keeps serving.');
    assert.deepEqual(record.log, ['no such column']);
    assert.equal(
      record.steps.some(({ name }) => name === 'create'),
      false,
    );
    assert.equal((await app.container()).Id, old);
  });
});
