/** Checks and repairs of the whole instance through the API. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHECK_NAMES } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

describe('the checks of an instance', () => {
  test('report each part, and the same problems as the warnings', async () => {
    await using daemon = await bootDaemon();

    const { checks } = await daemon.client.checkInstance();
    const { warnings } = await daemon.client.getInstance();

    assert.deepEqual(
      CHECK_NAMES.filter((name) => !checks.some((check) => check.name === name)),
      [],
    );
    const messages = checks.map(({ message }) => message);
    assert.ok(warnings.length > 0, 'a simulated engine causes a warning');
    assert.deepEqual(
      warnings.filter((warning) => !messages.includes(warning)),
      [],
    );
    assert.equal(checks.find(({ name }) => name === 'state_database')?.state, 'ok');
  });

  test('report a full disk as a problem, and a repair acts on it', async () => {
    const use = async (path: string) => ({ path, totalBytes: 100 * 2 ** 30, freeBytes: 2 ** 30 });
    await using daemon = await bootDaemon({ diskUse: use });
    await daemon.settled();

    const { checks: before } = await daemon.client.checkInstance();
    const { actions, checks } = await daemon.client.repairInstance({});

    for (const results of [before, checks]) {
      const disk = results.find(({ name }) => name === 'disk');
      assert.deepEqual([disk?.state, disk?.repairable], ['problem', true]);
    }
    assert.ok(actions.some(({ name }) => name === 'disk'));
  });

  test('have repairs whose reconcilers all exist', async () => {
    await using daemon = await bootDaemon();

    for (const [name, repair] of Object.entries(daemon.core.repairs)) assert.notEqual(await repair(), '', name);
  });

  test('have a repair of the disk that removes the images that no release needs', async () => {
    await using daemon = await bootDaemon();
    await daemon.call('PATCH', '/api/settings', { images: { keep: 1 } });
    const { app } = await deployedApp(daemon);
    for (const tag of ['v2', 'v3', 'v4'])
      await daemon.client.deployApp({ params: paramsOf(app), query: { wait: 'true' }, body: { tag } });
    const replicas = () => daemon.engine.controls.containers().filter((one) => one.app === app.reference);
    await until('the containers of older releases are gone', () => replicas().length <= 1);
    const images = async () => (await daemon.engine.heldImages()).length;
    assert.equal(await images(), 4);

    await daemon.core.repairs.disk?.();

    assert.equal(await images(), 2, 'the live release and one older release');
  });

  test('report a clock that was set back', async () => {
    let now = Date.now();
    await using daemon = await bootDaemon({ now: () => now });
    await daemon.client.createProject({ body: { slug: 'shop' } });
    now -= 3_600_000;

    const { checks } = await daemon.client.checkInstance();

    const clock = checks.filter(({ name }) => name === 'clock').map(({ state }) => state);
    assert.ok(clock.includes('problem'), JSON.stringify(clock));
  });
});
