/** Failed and canceled deployments on a whole instance. The previous release continues to serve. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { emptyRegistry, portOf } from '../../support/docker-rig.ts';
import { CASES_AT_ONCE, type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('a live instance with failed and canceled deployments', {
  skip: whyNoEngine() ?? false,
  concurrency: CASES_AT_ONCE,
}, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  // All cases change the same app, so the cases run one after another.
  describe('the live release during a failed deployment', { concurrency: 1 }, () => {
    let app: LiveApp;

    before(async () => {
      app = await harness.deployedApp({ health: { grace_s: 1 } });
    });

    /** Runs a failing deployment under steady requests, and checks that the serving release did not change. */
    async function failing(tag: string): Promise<Deployment> {
      const { Id: old } = await app.container();
      const load = requestSteadily(app, ({ text }) => text.startsWith('v1 '));
      const record = await app.deploy(tag);
      const { wrong } = await load.stop();
      assert.deepEqual(wrong, []);
      assert.equal(record.status, 'failed');
      assert.equal((await app.container()).Id, old);
      assert.equal((await app.read()).live_deployment, (await app.read()).replicas[0]?.deployment);
      return record;
    }

    test('stays live if the new container exits', async () => {
      const { error, log } = await failing('crash');

      assert.equal(error, 'Replica 1 exited with code 3. Release v1 is still live.');
      // The lines come from two streams, whose order is undefined.
      assert.deepEqual(log?.sort(), ['fatal: this example crashes', 'starting']);
    });

    test('stays live if the new release never becomes ready', async () => {
      const { error, log } = await failing('silent');

      assert.match(
        error ?? '',
        /^Replica 1 did not become ready within 1 s \(connection to port 8080: .+\)\. Release v1/,
      );
      assert.deepEqual(log, ['starting']);
    });

    test('stays live if the new release listens on another port', inLong, async () => {
      const listening = ['httpd', '-f', '-p', '8080', '-h', '/www'];
      await harness.client.patchApp({ params: app.params, body: { port: 9999, command: listening } });
      const { error } = await failing('two-ports');
      await harness.client.patchApp({ params: app.params, body: { port: 8080, command: null } });

      assert.match(error ?? '', /connection to port 9999/);
    });

    test('stays live if the HEALTHCHECK of the new release fails', inLong, async () => {
      const { error } = await failing('sick');

      assert.match(error ?? '', /HEALTHCHECK: .*it is sick/);
    });

    test('stays live if the registry does not have the image', inLong, async () => {
      const registry = await emptyRegistry();
      try {
        await harness.client.patchApp({ params: app.params, body: { image: `127.0.0.1:${portOf(registry)}/nothing` } });
        const hosts = (private_hosts: string[]) => ({ body: { registries: { private_hosts } } });
        await harness.client.patchSettings(hosts([`127.0.0.1:${portOf(registry)}`]));
        const { error_code, phase } = await failing('1');
        await harness.client.patchSettings(hosts([]));
        assert.deepEqual([error_code, phase], ['image_not_found', null]);
      } finally {
        await harness.client.patchApp({ params: app.params, body: { image: harness.image } });
        registry.close();
      }
    });
  });

  test('keeps the live release if a deployment is canceled during the health check', async () => {
    const app = await harness.deployedApp();
    const { Id: old } = await app.container();
    const { id } = await app.begin('silent');
    await until(
      'it is under check',
      () => app.record(id),
      ({ phase }) => phase === 'checking',
    );

    const params = { ...app.params, deployment: String(id) };
    const record = (await harness.client.cancelDeployment({ params })) as Deployment;

    assert.equal(record.status, 'cancelled');
    assert.equal((await app.container()).Id, old);
    assert.match((await app.get()).text, /^v1 /);
  });

  test('fails a deployment before containers are created if the release command fails', inLong, async () => {
    const app = await harness.deployedApp();
    const { Id: old } = await app.container();
    const command = ['sh', '-c', 'echo "no such column"; exit 4'];
    await harness.client.patchApp({ params: app.params, body: { release_command: command } });

    const record = await app.deploy('v2');

    assert.equal(record.error, 'The release command exited with code 4. Release v1 is still live.');
    assert.deepEqual(record.log, ['no such column']);
    assert.equal(
      record.steps.some(({ name }) => name === 'create'),
      false,
    );
    assert.equal((await app.container()).Id, old);
  });
});
