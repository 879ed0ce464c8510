/** A quota counts the actual limits of the containers of apps, whenever the limits of an app change. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { App, AppLimits, Deployment, Quota, QuotaPatch } from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, project, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { EngineRefused, EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { putQuota } from '../../src/db/tables/quota.ts';
import { NO_QUOTA, useOf } from '../../src/quotas/quota.ts';
import { saveSettings } from '../../src/resources/apps/save-settings.ts';
import { patchApp, patching } from '../../src/resources/apps/settings.ts';
import { Harness } from '../support/harness.ts';

const MIB = 2 ** 20;
const memory = (mebibytes: number) => ({ memory_bytes: mebibytes * MIB });

describe('a quota during changes of app limits', () => {
  let daemon: TestDaemon;
  let shop: string;
  beforeEach(async () => {
    daemon = await bootDaemon();
    shop = await project(daemon);
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const set = async (limits: QuotaPatch) => {
    const { status, text } = await daemon.call('PATCH', `/api/projects/${shop}/quota`, limits);
    assert.equal(status, 200, text);
  };
  const used = async () => {
    const { used } = JSON.parse((await daemon.call('GET', `/api/projects/${shop}/quota`)).text) as Quota;
    return { memory: used.memory_bytes / MIB, pids: used.pids };
  };
  const pathOf = ({ reference }: App) => `/api/apps/${reference}`;
  const patch = (of: App, limits: Partial<AppLimits>, query = '') =>
    daemon.call('PATCH', `${pathOf(of)}${query}`, { limits });
  const deploy = (of: App) => daemon.call('POST', `${pathOf(of)}/deploy?wait=true`, { tag: 'v1' });
  const containers = () => daemon.engine.controls.containers().filter(({ kind }) => kind === 'app');
  /** Returns the memory limits of all containers, in MiB. */
  const given = () => containers().map(({ limits }) => (limits.memoryBytes ?? 0) / MIB);
  const refusals = async (answer: ReturnType<typeof daemon.call>) => {
    const { status, text } = await answer;
    assert.equal(status, 409, text);
    return text;
  };
  const ended = async (answer: ReturnType<typeof daemon.call>) => {
    const { status, text } = await answer;
    assert.equal(status, 200, text);
    return JSON.parse(text) as Deployment;
  };
  /** Removes the container of a replica, which the repair replaces. */
  async function replaceOne(): Promise<void> {
    const [lost] = containers();
    assert.ok(lost);
    await daemon.engine.remove(lost.id);
    await until('another container runs', async () =>
      containers().some(({ id, state }) => id !== lost.id && state === 'running'),
    );
  }

  for (const at of ['createGroup', 'start', 'probe'] as const) {
    it(`refuses limits above the quota while the first deployment is paused at ${at}`, async () => {
      await set(memory(128));
      const web = await app(daemon, { project: shop, limits: memory(64) });
      const gate = daemon.engine.controls.pause(at);
      const deploying = deploy(web);
      await gate.reached;

      assert.match(await refusals(patch(web, memory(4_096))), /quota allows 128 MiB/);
      gate.open();
      assert.equal((await ended(deploying)).status, 'succeeded');
      await replaceOne();

      assert.deepEqual([given(), (await used()).memory], [[64], 64]);
    });

    it(`applies new limits to the replicas of a first deployment paused at ${at}`, async () => {
      await set(memory(128));
      const web = await app(daemon, { project: shop, scale: 2, limits: { ...memory(32), cpu: 1 } });
      const gate = daemon.engine.controls.pause(at);
      const deploying = deploy(web);
      await gate.reached;

      const patches = [patch(web, { ...memory(64), cpu: 0.5 })];
      await until('the change is on record', async () => (await used()).memory === 128);
      patches.push(patch(web, { pids: 100 }));
      await turn();
      gate.open();

      assert.equal((await ended(deploying)).status, 'succeeded');
      for (const { status, text } of await Promise.all(patches)) assert.equal(status, 200, text);
      const limits = { cpu: 0.5, memoryBytes: 64 * MIB, pids: 100 };
      assert.deepEqual(
        containers().map((one) => one.limits),
        [limits, limits],
      );
      assert.deepEqual(await used(), { memory: 128, pids: 200 });
    });
  }

  it('lets a first deployment start with limits that changed before its replicas were recorded', async () => {
    await set(memory(64));
    const web = await app(daemon, { project: shop, limits: memory(64) });
    const gate = daemon.engine.controls.pause('ensureNetwork');
    const deploying = deploy(web);
    await gate.reached;

    assert.equal((await patch(web, memory(32))).status, 200);
    assert.equal((await used()).memory, 32);
    gate.open();

    assert.equal((await ended(deploying)).status, 'succeeded');
    assert.deepEqual([given(), (await used()).memory], [[32], 32]);
  });

  it('refuses limits above the quota while a stopped app is starting', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, limits: memory(64) });
    await set(memory(128));
    assert.equal((await daemon.call('POST', `${pathOf(web)}/stop?wait=true`)).status, 200);
    const gate = daemon.engine.controls.pause('start');
    const starting = daemon.call('POST', `${pathOf(web)}/start?wait=true`);
    await gate.reached;

    assert.match(await refusals(patch(web, memory(4_096))), /quota allows 128 MiB/);
    assert.equal((await patch(web, memory(96))).status, 200);
    gate.open();

    assert.equal((await ended(starting)).status, 'succeeded');
    await replaceOne();
    assert.deepEqual([given(), (await used()).memory], [[96], 96]);
  });

  it('counts the processes of all replicas of a deployment in progress', async () => {
    const web = await app(daemon, { project: shop, scale: 4, limits: { pids: 64 } });
    const gate = daemon.engine.controls.pause('start');
    const deploying = deploy(web);
    await gate.reached;

    // Four replicas are created, even if the scale has changed in the meantime.
    const body = { scale: 1, limits: { pids: 4_096 } };
    assert.match(
      await refusals(daemon.call('PATCH', pathOf(web), body)),
      /4 × 4096 processes, but all replicas together may have at most 4096\. You can use at most 1 replica, or set limits\.pids to 1024 or less/,
    );
    gate.open();

    assert.equal((await ended(deploying)).status, 'succeeded');
    assert.deepEqual(
      containers().map(({ limits }) => limits.pids),
      [64, 64, 64, 64],
    );
  });

  it('counts the container of a release command until the command ends', async () => {
    const release = { release_command: ['migrate'] };
    const web = await app(daemon, { project: shop, limits: memory(96), ...release });
    await set(memory(128));
    const gate = daemon.engine.controls.pause('runOnce');
    const deploying = deploy(web);
    await gate.reached;

    assert.equal((await patch(web, memory(32))).status, 200);
    assert.equal((await used()).memory, 96);
    assert.match(await refusals(patch(web, memory(256))), /quota allows 128 MiB/);
    gate.open();

    assert.equal((await ended(deploying)).status, 'succeeded');
    assert.deepEqual([given(), (await used()).memory], [[32], 32]);
  });

  it('counts the old limits of a repaired replica if the deployment of new limits fails', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, limits: memory(64) });
    const gate = daemon.engine.controls.pause('start');
    const { status, text } = await patch(web, memory(256), '?deploy=true');
    assert.equal(status, 202, text);
    await gate.reached;
    await set(memory(128));
    daemon.engine.controls.fail('start', { error: new EngineRefused('start container: no') });
    gate.open();

    await daemon.settled();
    const [newest] = await daemon.client.listDeployments({ params: paramsOf(web) });
    assert.equal(newest?.status, 'failed');
    await replaceOne();

    assert.deepEqual([given(), (await used()).memory], [[64], 64]);
    // When the quota has space, the container gets the limits of its app.
    await set(memory(256));
    await daemon.restart();
    await until('the limits are as the settings say', async () => given()[0] === 256);
    await daemon.settled();
    assert.equal((await used()).memory, 256);
  });

  it('counts the actual limits of replicas after concurrent increases and reductions', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, scale: 3, limits: memory(128) });
    await set(memory(3 * 256));
    const gate = daemon.engine.controls.pause('setLimits');
    const lowering = patch(web, memory(64));
    await gate.reached;
    const raising = patch(web, memory(256));
    await until('both changes are on record', async () => (await used()).memory === 3 * 256);
    // Work that does not wait for the first change is complete now.
    for (let turns = 0; turns < 100; turns++) await turn();
    gate.open();

    assert.deepEqual([(await lowering).status, (await raising).status], [200, 200]);

    assert.deepEqual([given(), (await used()).memory], [[256, 256, 256], 3 * 256]);
  });

  it('counts the old limits of a replica until the engine accepts lower limits', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, scale: 2, limits: memory(128) });
    const other = await app(daemon, { project: shop, limits: memory(96) });
    await set(memory(256));
    // This is the error of Docker on cgroup v1 for a program that uses more memory than the new limit.
    daemon.engine.controls.fail('setLimits', { error: new EngineRefused('update container: device or resource busy') });

    assert.match(await refusals(patch(web, memory(32))), /^The change of limits is saved but not applied\. /);
    assert.deepEqual([given(), (await used()).memory], [[128, 32], 160]);
    daemon.engine.controls.fail('setLimits', { times: 1_000 });
    assert.equal((await deploy(other)).status, 200);
    assert.equal((await used()).memory, 256);

    daemon.engine.controls.clearFailures();
    await daemon.restart();
    await until('the lower limits are set', async () => given().toSorted().join() === '32,32,96');
    await daemon.settled();
    assert.equal((await used()).memory, 160);
  });

  it('replaces the replicas with a deployment if one uses more memory than its new limit', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, limits: memory(128) });
    const error = new EngineProblem('memory_in_use', 'update container', 'device or resource busy');
    daemon.engine.controls.fail('setLimits', { error });

    const { status, text } = await patch(web, memory(32));

    assert.equal(status, 200, text);
    const newest = await until('a deployment has replaced the replica', async () => {
      const [one] = await daemon.client.listDeployments({ params: paramsOf(web) });
      return one?.trigger.kind === 'scale' && one.status === 'succeeded' ? one : null;
    });
    const next = containers().filter(({ deployment }) => deployment === newest.id);
    assert.deepEqual(
      next.map(({ limits }) => limits.memoryBytes),
      [32 * MIB],
    );
  });

  it('counts the larger limits while the result of a limit change is unknown', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, limits: memory(128) });
    daemon.engine.controls.fail('setLimits', { error: new EngineUnavailable('it is away'), afterEffect: true });
    assert.notEqual((await patch(web, memory(64))).status, 200);
    assert.equal((await used()).memory, 128);

    daemon.engine.controls.fail('setLimits', { error: new EngineUnavailable('it is away') });
    assert.notEqual((await patch(web, memory(256))).status, 200);
    assert.deepEqual([given(), (await used()).memory], [[64], 256]);

    await daemon.restart();
    await until('the last limits are set', async () => given()[0] === 256);
  });
});

it('a deployment that resumes after a crash creates replicas with the reserved limits', async () => {
  await using harness = await Harness.with({ limits: memory(64) });
  const { store } = harness.core;
  const { project, id } = harness.app();
  store.tx((tx) => putQuota(tx, project, { ...NO_QUOTA, ...memory(128) }));
  const use = () => useOf(store, project.id).memory_bytes / MIB;
  const gate = harness.engine.controls.pause('createGroup');
  await harness.request({ tag: 'v1' });
  await gate.reached;
  const change = (mebibytes: number) =>
    patchApp(harness.core, harness.ctx, harness.app(), { limits: memory(mebibytes) });
  await assert.rejects(change(4_096), /quota allows 128 MiB/);
  const raising = change(96);
  assert.equal(use(), 96);
  await harness.crash();
  await raising;
  await harness.machine.settled();
  assert.deepEqual(
    harness.engine.controls.containers().map(({ limits }) => limits.memoryBytes),
    [96 * MIB],
  );
  assert.equal(use(), 96);

  // A change that is saved only for the next deployment reserves nothing for the running replicas.
  store.tx((tx) => {
    saveSettings(harness.core, harness.ctx, tx, id, patching({ limits: memory(100) }));
  });
  for (const container of harness.engine.controls.containers()) await harness.engine.remove(container.id);
  await harness.look();
  assert.deepEqual(
    harness.engine.controls.containers().map(({ limits }) => limits.memoryBytes),
    [96 * MIB],
  );
});

it('a quota never counts less than the actual limits during many concurrent changes', async () => {
  let calls = 0;
  const wrong: string[] = [];
  await using daemon = await bootDaemon({
    wrapEngine: (engine) => ({
      ...engine,
      async setLimits(id, limits) {
        const turns = (calls++ * 7) % 11;
        for (let n = 0; n < turns; n++) await turn();
        await engine.setLimits(id, limits);
        compare();
      },
    }),
  });
  const { app: web } = await deployedApp(daemon, { scale: 3, limits: memory(64) });
  const id = projectBySlug(daemon.core.store, web.project)?.id ?? 0;
  const given = () => daemon.engine.controls.containers().map(({ limits }) => (limits.memoryBytes ?? 0) / MIB);
  const counted = () => useOf(daemon.core.store, id).memory_bytes / MIB;
  function compare(): void {
    const has = given().reduce((total, one) => total + one, 0);
    if (has > counted()) wrong.push(`${has} MiB, counted as ${counted()}`);
  }
  await daemon.client.patchProjectQuota({ params: { project: web.project }, body: memory(3 * 256) });

  const sizes = [256, 64, 250, 65, 240, 66, 230, 80];
  const params = paramsOf(web);
  await Promise.all(sizes.map((size) => daemon.client.patchApp({ params, body: { limits: memory(size) } })));

  assert.deepEqual(wrong, []);
  const last = ((await daemon.client.getApp({ params })).limits.memory_bytes ?? 0) / MIB;
  assert.deepEqual([given(), counted()], [[last, last, last], 3 * last]);
});
