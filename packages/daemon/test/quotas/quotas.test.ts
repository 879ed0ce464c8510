/**
 * Quotas of projects: what counts, which requests are refused and how, and that concurrent requests never exceed a
 * quota.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AppEvent, Deployment, Problem, Quota, QuotaPatch, Task } from '@davit/api';
import { app, bootDaemon, database, deployedApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { unchecked } from '../../src/db/select.ts';
import { eventsAfter } from '../../src/db/tables/event.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { pushOf } from '../../src/db/tables/push.ts';
import { useOf } from '../../src/quotas/quota.ts';
import { appIdOf, notifyPush } from '../support/registry-setup.ts';

const MIB = 2 ** 20;
const AT_ONCE = 20;
const LIMITS = { memory_bytes: 64 * MIB, cpu: 0.25 };

describe('a quota', () => {
  let daemon: TestDaemon;
  let shop: string;
  let id: number;
  beforeEach(async () => {
    daemon = await bootDaemon();
    shop = await project(daemon);
    id = projectBySlug(daemon.core.store, shop)?.id ?? 0;
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  const path = () => `/api/projects/${shop}/quota`;
  const read = async (key?: string) => JSON.parse((await daemon.call('GET', path(), undefined, key)).text) as Quota;
  const set = async (limits: QuotaPatch) => {
    const { status, text } = await daemon.call('PATCH', path(), limits);
    assert.equal(status, 200, text);
    return JSON.parse(text) as Quota;
  };
  const statuses = async (calls: Promise<{ status: number; text: string }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);
  const accepted = (found: number[]) => found.filter((status) => status < 300).length;
  const times = <T>(count: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const use = () => useOf(daemon.core.store, id);
  /**
   * Reads a value after each commit.
   * @returns a function that returns the largest value so far
   */
  function watching(figure: () => number): () => number {
    let most = figure();
    daemon.core.store.onEvent(() => {
      most = Math.max(most, figure());
    });
    return () => most;
  }
  /** Sends a request like a program that parses errors as data. */
  async function problemOf(method: string, to: string, body?: object): Promise<Problem> {
    const headers = {
      authorization: `Bearer ${daemon.key}`,
      accept: 'application/problem+json',
      'content-type': 'application/json',
    };
    const { status, text } = await daemon.send({
      method,
      path: to,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(status, 409, text);
    const problem = JSON.parse(text) as Problem;
    assert.equal(problem.code, 'quota_exceeded', text);
    return problem;
  }
  const running = () =>
    daemon.engine.controls.containers().filter(({ kind, state }) => kind === 'app' && state === 'running').length;

  it('is set by admins of all projects and readable by a project viewer', async () => {
    const none = await read(user(daemon, 'viewer', [shop]).key);
    assert.deepEqual(none, {
      ...{
        replicas: null,
        memory_bytes: null,
        cpu: null,
        pids: null,
        volumes: null,
        databases: null,
        disk_bytes: null,
      },
      used: {
        ...{ replicas: 0, memory_bytes: 0, cpu: 0, pids: 0, volumes: 0, databases: 0, disk_bytes: null },
        ...{ without_memory_limit: 0, without_cpu_limit: 0 },
      },
      disk_measured_at: null,
    });
    assert.equal((await daemon.call('PUT', path(), { replicas: 9 }, user(daemon, 'admin', [shop]).key)).status, 403);
    assert.equal((await daemon.call('PUT', path(), { replicas: 9 }, user(daemon, 'member').key)).status, 403);
    assert.equal((await daemon.call('PUT', path(), { replicas: 9, cpu: 1.5 })).status, 200);
    assert.deepEqual(await set({ replicas: 7 }).then(({ replicas, cpu }) => [replicas, cpu]), [7, 1.5]);
    assert.equal((await daemon.call('PUT', path(), {})).status, 200);
    assert.deepEqual({ ...(await read()), used: null }, { ...none, used: null });
    for (const body of [{ replicas: -1 }, { replicas: 1.5 }, { cpu: 'many' }, { disk: 1 }])
      assert.equal((await daemon.call('PUT', path(), body)).status, 400, JSON.stringify(body));
  });

  it('counts the replicas of the old and the new release', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, scale: 2 });
    await set({ replicas: 3 });

    const { quota, detail } = await problemOf('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v2' });

    assert.deepEqual(quota, { resource: 'replicas', limit: 3, used: 2, requested: 2 });
    assert.match(detail, /allows 3 replicas\. The project uses 2 replicas, and this request adds 2 replicas/);
    assert.match(
      (await problemOf('POST', `/api/apps/${web.reference}/deploy?dry_run=true`, { tag: 'v2' })).detail,
      /3 replicas/,
    );
    await set({ replicas: 1 });
    const { detail: one } = await problemOf('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v2' });
    assert.match(one, /allows 1 replica\. The project uses 2 replicas/);
    await set({ replicas: 4 });
    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v2' });
    assert.equal(status, 200, text);
    assert.equal((JSON.parse(text) as { status: string }).status, 'succeeded');
  });

  it('below the current use is accepted, but additional use is refused', async () => {
    const { app: web } = await deployedApp(daemon, { project: shop, limits: LIMITS });
    const quota = await set({ replicas: 0, memory_bytes: 0, cpu: 0 });

    assert.equal(quota.used.replicas, 1);
    assert.equal(quota.used.memory_bytes, LIMITS.memory_bytes);
    assert.equal(running(), 1);
    for (const action of ['deploy', 'restart', 'rollback'])
      if (action !== 'rollback')
        await problemOf(
          'POST',
          `/api/apps/${web.reference}/${action}`,
          action === 'deploy' ? { tag: 'v2' } : undefined,
        );
    await problemOf('PATCH', `/api/apps/${web.reference}`, { scale: 2 });
    await problemOf('PATCH', `/api/apps/${web.reference}`, { limits: { memory_bytes: 128 * MIB } });
    // Reducing the use is always possible, and a refused change is not stored.
    assert.equal(
      (await daemon.call('PATCH', `/api/apps/${web.reference}`, { limits: { memory_bytes: 32 * MIB } })).status,
      200,
    );
    const now = await daemon.client.getApp({ params: { project: shop, environment: 'production', app: web.name } });
    assert.deepEqual([now.scale, now.limits.memory_bytes], [1, 32 * MIB]);
    assert.equal((await read()).used.memory_bytes, 32 * MIB);
  });

  it('of memory or CPU requires a limit for each container, and errors name the field', async () => {
    const web = await app(daemon, { project: shop });
    await set({ memory_bytes: 1024 * MIB });
    const { detail, quota } = await problemOf('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });
    assert.match(
      detail,
      /^limits\.memory_bytes: This limit is required, because the project has a quota of 1024 MiB of memory/,
    );
    assert.deepEqual(quota, { resource: 'memory_bytes', limit: 1024 * MIB, used: 0, requested: null });
    const db = { project: shop, name: 'main', engine: 'postgres' };
    assert.match((await problemOf('POST', '/api/databases', db)).detail, /^limits\.memory_bytes: /);
    await set({ memory_bytes: null, cpu: 2 });
    assert.match(
      (await problemOf('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' })).detail,
      /^limits\.cpu: /,
    );
    await daemon.client.patchApp({
      params: { project: shop, environment: 'production', app: web.name },
      body: { limits: LIMITS },
    });
    assert.equal((await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v1' })).status, 200);
    assert.equal((await read()).used.cpu, 0.25);
  });

  it('of replicas is reported before the process limit of the app', async () => {
    const web = await deployedApp(daemon, { project: shop });
    const far = await app(daemon, { project: shop, scale: 9 });
    await set({ replicas: 5 });

    for (const refused of [
      await problemOf('PATCH', `/api/apps/${web.app.reference}`, { scale: 9 }),
      await problemOf('POST', `/api/apps/${far.reference}/deploy`, { tag: 'v1' }),
    ])
      assert.deepEqual(refused.quota, { resource: 'replicas', limit: 5, used: 1, requested: 9 });
  });

  it('of processes has a default per app and can be raised', async () => {
    const web = await app(daemon, { project: shop, scale: 9 });
    assert.equal(web.limits.pids, 512);
    const deploy = `/api/apps/${web.reference}/deploy`;
    const { detail, quota } = await problemOf('POST', deploy, { tag: 'v1' });
    assert.match(
      detail,
      /^limits\.pids: The replicas of the app could have 9 × 512 processes, but all replicas together may have at most 4096\. You can use at most 8 replicas, or set limits\.pids to 455 or less \(`davit app set --pids`\)\. An admin /,
    );
    assert.deepEqual(quota, { resource: 'pids', limit: 4_096, used: 0, requested: 4_608 });
    await set({ pids: 5_000 });
    assert.equal((await daemon.call('POST', `${deploy}?wait=true`, { tag: 'v1' })).status, 200);
    assert.equal((await read()).used.pids, 9 * 512);
    // The same applies to a change in place.
    await problemOf('PATCH', `/api/apps/${web.reference}`, { limits: { pids: 1_048_576 } });
    const limits = new Set(daemon.engine.controls.containers().map((container) => container.limits.pids));
    assert.deepEqual([...limits], [512]);
  });

  describe(`with ${AT_ONCE} concurrent requests`, () => {
    it('accepts only as many deployments as the replica quota allows', async () => {
      const apps = await times(AT_ONCE, (n) => app(daemon, { project: shop, name: `app-${n}` }));
      await set({ replicas: 7 });
      const [most, mostRunning] = [watching(() => use().replicas), watching(running)];

      const found = await statuses(
        apps.map(({ reference }) => daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' })),
      );

      assert.equal(accepted(found), 7, found.join(' '));
      assert.deepEqual([most(), mostRunning()], [7, 7]);
    });

    it('never exceeds the quota while apps are scaled, deployed and restarted', async () => {
      const apps = await times(8, (n) => deployedApp(daemon, { project: shop, name: `app-${n}` }));
      await set({ replicas: 12 });
      const [most, mostRunning] = [watching(() => use().replicas), watching(running)];
      const acts = apps.flatMap(({ app: { reference } }) => [
        daemon.call('PATCH', `/api/apps/${reference}`, { scale: 2 }),
        daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v2' }),
        daemon.call('POST', `/api/apps/${reference}/restart?wait=true`),
      ]);

      const found = await statuses(acts);

      assert.ok(accepted(found) > 0, found.join(' '));
      assert.ok(
        found.every((status) => status < 300 || status === 409),
        found.join(' '),
      );
      assert.ok(most() <= 12 && mostRunning() <= 12, `${most()} ${mostRunning()}`);
    });

    it('accepts only as many deployments as memory, CPU and process quotas allow', async () => {
      for (const [limits, count] of [
        [{ memory_bytes: 5 * 64 * MIB + 1 }, 5],
        [{ memory_bytes: null, cpu: 1 }, 4],
        [{ cpu: null, pids: 6 * 512 }, 6],
      ] as const) {
        const slug = `fit-${count}`;
        await project(daemon, slug);
        assert.equal((await daemon.call('PATCH', `/api/projects/${slug}/quota`, limits)).status, 200);
        const apps = await times(AT_ONCE, (n) => app(daemon, { project: slug, name: `app-${n}`, limits: LIMITS }));
        const found = await statuses(
          apps.map(({ reference }) => daemon.call('POST', `/api/apps/${reference}/deploy`, { tag: 'v1' })),
        );
        assert.equal(accepted(found), count, JSON.stringify(limits));
      }
    });

    it('accepts only as many volumes as the quota allows', async () => {
      const apps = await times(AT_ONCE, (n) => app(daemon, { project: shop, name: `app-${n}` }));
      await set({ volumes: 6 });
      const found = await statuses(
        apps.map(({ reference }) => daemon.call('POST', `/api/apps/${reference}/volumes`, { path: '/data' })),
      );
      assert.equal(accepted(found), 6);
      assert.equal((await read()).used.volumes, 6);
    });

    it('accepts only as many databases and object stores as the quota allows', async () => {
      await set({ databases: 3 });
      const found = await statuses(
        Array.from({ length: AT_ONCE }, (_, n) =>
          n % 2 === 0
            ? daemon.call('POST', '/api/databases', { project: shop, name: `db-${n}`, engine: 'redis' })
            : daemon.call('POST', `/api/projects/${shop}/environments/production/object-stores`, {
                name: `files-${n}`,
              }),
        ),
      );
      assert.equal(accepted(found), 3, found.join(' '));
      assert.equal((await read()).used.databases, 3);
    });

    it('accepts only as many running commands as the memory quota allows', async () => {
      const apps = await times(4, (n) => deployedApp(daemon, { project: shop, name: `app-${n}`, limits: LIMITS }));
      await set({ memory_bytes: (4 + 5) * 64 * MIB });
      const run = (n: number) =>
        daemon.call('POST', `/api/apps/${apps[n % 4]?.app.reference}/run?detach=true`, { command: ['sleep', '1000'] });
      const found = await statuses(Array.from({ length: AT_ONCE }, (_, n) => run(n)));
      assert.equal(accepted(found), 5, found.join(' '));
      assert.equal((await read()).used.replicas, 4);
    });
  });

  it('is not exceeded if settings are reduced during an accepted deployment', async () => {
    const slow = await app(daemon, { project: shop, scale: 3 });
    const other = await app(daemon, { project: shop, scale: 3 });
    await set({ replicas: 4 });
    const mostRunning = watching(running);
    const gate = daemon.engine.controls.pause('ensureNetwork');
    const accepted = daemon.call('POST', `/api/apps/${slow.reference}/deploy?wait=true`, { tag: 'v1' });
    await gate.reached;
    // The deployment starts three replicas, even if the settings change afterwards.
    const patch = await daemon.call('PATCH', `/api/apps/${slow.reference}`, { scale: 1 });
    assert.equal(patch.status, 200, patch.text);
    const taken = await daemon.call('POST', `/api/apps/${other.reference}/deploy?wait=true`, { tag: 'v1' });
    assert.equal(taken.status, 200, taken.text);
    gate.open();

    const { status, error } = JSON.parse((await accepted).text) as Deployment;

    assert.equal(status, 'failed');
    assert.match(error ?? '', /quota allows 4 replicas/);
    assert.ok(mostRunning() <= 4, String(mostRunning()));
  });

  it('counts the processes of an app again when a queued deployment starts', async () => {
    const slow = await app(daemon, { project: shop });
    const gate = daemon.engine.controls.pause('ensureNetwork');
    const first = daemon.call('POST', `/api/apps/${slow.reference}/deploy?wait=true`, { tag: 'v1' });
    await gate.reached;
    const second = daemon.call('POST', `/api/apps/${slow.reference}/deploy?wait=true`, { tag: 'v2' });
    await until('the second one', async () =>
      daemon.core.store.get(unchecked('SELECT 1 FROM deployments WHERE tag = ?'), 'v2') === undefined ? null : true,
    );
    const limits = { scale: 6, limits: { pids: 4_096 } };
    assert.equal((await daemon.call('PATCH', `/api/apps/${slow.reference}`, limits)).status, 200);
    gate.open();

    assert.equal((JSON.parse((await first).text) as Deployment).status, 'succeeded');
    const { status, error } = JSON.parse((await second).text) as Deployment;

    assert.equal(status, 'failed');
    assert.match(error ?? '', /6 × 4096 processes, but all replicas together may have at most 4096/);
    assert.equal(running(), 1);
  });

  it('delays the deployment of a push until the quota allows a replica', async () => {
    const web = await app(daemon, { project: shop, source: 'registry', image: null });
    await set({ replicas: 0 });
    daemon.registry.push(web.reference, 'v1');
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: 'ada' });
    await daemon.daemon.settled();
    const params = { project: shop, environment: 'production', app: web.name };
    assert.deepEqual(await daemon.client.listDeployments({ params }), []);
    assert.match(
      (await daemon.client.getInstance()).warnings.join(),
      /is not deployed yet\. .*quota allows 0 replicas/,
    );

    await set({ replicas: 1 });
    await daemon.core.pushes.look();
    await daemon.daemon.settled();

    assert.deepEqual(
      (await daemon.client.listDeployments({ params })).map(({ tag, trigger, status: ended }) => [tag, trigger, ended]),
      [['v1', { kind: 'push', by: 'ada', via: 'push' }, 'succeeded']],
    );
  });

  it('keeps the user of a delayed push if the first notification arrives late', async () => {
    const web = await app(daemon, { project: shop, source: 'registry', image: null });
    await set({ replicas: 0 });
    daemon.registry.push(web.reference, 'v1');
    await daemon.core.pushes.look();
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: 'ada' });
    await daemon.daemon.settled();

    await set({ replicas: 1 });
    await daemon.core.pushes.look();
    await daemon.daemon.settled();

    const params = { project: shop, environment: 'production', app: web.name };
    const [deployment] = await daemon.client.listDeployments({ params });
    assert.equal(deployment?.trigger.by, 'ada');
  });

  for (const [what, request, expected] of [
    ['a rollback', ['POST', '/rollback', {}], 'recorded'],
    ['a deployment of another tag', ['POST', '/deploy', { tag: 'v1' }], 'recorded'],
    ['a deployment of the pushed tag', ['POST', '/deploy', { tag: 'v3' }], 'deployed'],
    ['a pin to a tag', ['PATCH', '', { tag: 'v2' }], 'recorded'],
    ['a stop', ['POST', '/stop'], 'recorded'],
    ['a restart', ['POST', '/restart'], 'retried'],
  ] as const) {
    it(`${expected === 'retried' ? 'still deploys' : 'does not deploy'} a delayed push after ${what}`, async () => {
      const web = await app(daemon, { project: shop, source: 'registry', image: null });
      const push = async (tag: string) => {
        daemon.registry.push(web.reference, tag);
        await notifyPush(daemon, { repository: web.reference, tag, by: 'ada' });
        await daemon.daemon.settled();
      };
      const ask = async ([method, path, body]: readonly [string, string, object?]) => {
        const { status, text } = await daemon.call(method, `/api/apps/${web.reference}${path}`, body);
        assert.ok(status < 300, text);
        await daemon.daemon.settled();
      };
      await push('v1');
      await push('v2');
      await set({ memory_bytes: 1 });
      await push('v3');
      const appId = appIdOf(daemon, web.reference);
      const outcome = () => pushOf(daemon.core.store, appId, 'v3')?.outcome;
      assert.equal(outcome(), 'waiting');

      // Only the deployment of the pushed image had to wait. The other request is within the quota.
      await set({ memory_bytes: null });
      await ask(request);
      const before = await daemon.client.listDeployments({ params: paramsOf(web) });
      await daemon.core.pushes.look();
      await daemon.daemon.settled();

      const after = await daemon.client.listDeployments({ params: paramsOf(web) });
      assert.equal(outcome(), expected === 'retried' ? 'deployed' : expected);
      assert.equal(after.length - before.length, expected === 'retried' ? 1 : 0);
      assert.equal(after[0]?.tag === 'v3', expected !== 'recorded');
      if (what === 'a stop') assert.equal((await daemon.client.getApp({ params: paramsOf(web) })).status, 'stopped');
    });
  }

  it('counts both databases during a clone or an upgrade', async () => {
    const main = await database(daemon, { project: shop, limits: { memory_bytes: 128 * MIB, cpu: null } });
    const at = `/api/databases/${main.reference}`;
    assert.deepEqual([use().memory_bytes, use().databases, use().pids], [128 * MIB, 1, 4_096]);
    await set({ memory_bytes: 200 * MIB });
    const clone = await problemOf('POST', `${at}/clone`, { into: `${shop}/production/copy` });
    assert.deepEqual(clone.quota, {
      resource: 'memory_bytes',
      limit: 200 * MIB,
      used: 128 * MIB,
      requested: 128 * MIB,
    });
    await problemOf('POST', `${at}/upgrade`, { version: main.version, confirm: main.name });
    await problemOf('PATCH', at, { limits: { memory_bytes: 201 * MIB } });

    await set({ memory_bytes: 256 * MIB, databases: 1 });
    const { status, text } = await daemon.call('POST', `${at}/upgrade?wait=true`, {
      version: main.version,
      confirm: main.name,
    });
    assert.equal(status, 200, text);
    assert.equal((JSON.parse(text) as Task).status, 'succeeded', text);
    await until('one of them', async () => (use().memory_bytes === 128 * MIB ? true : null));
    assert.equal(
      (await problemOf('POST', `${at}/clone`, { into: `${shop}/production/copy` })).quota?.resource,
      'databases',
    );
  });

  it('counts the actual limits of a database container until the engine accepts lower limits', async () => {
    const body = { project: shop, engine: 'redis' };
    const limited = (memory: number) => ({ limits: { memory_bytes: memory * MIB, cpu: memory / 1024 } });
    const main = await database(daemon, { ...body, ...limited(512) });
    await set({ memory_bytes: 512 * MIB, cpu: 0.5 });
    // This is the error of Docker on cgroup v1 for a server that uses more memory than the new limit.
    daemon.engine.controls.fail('setLimits', { error: new EngineRefused('update container: device or resource busy') });
    const patched = await daemon.call('PATCH', `/api/databases/${main.reference}`, limited(64));
    assert.equal(patched.status, 409, patched.text);
    assert.deepEqual([use().memory_bytes, use().cpu, use().without_memory_limit], [512 * MIB, 0.5, 0]);
    const { quota } = await problemOf('POST', '/api/databases', { ...body, name: 'other', ...limited(448) });
    assert.equal(quota?.used, 512 * MIB);

    // A refused change can be requested again.
    const again = await daemon.call('PATCH', `/api/databases/${main.reference}`, limited(64));

    assert.equal(again.status, 200, again.text);
    assert.deepEqual([use().memory_bytes, use().cpu], [64 * MIB, 0.0625]);
    await database(daemon, { ...body, ...limited(448) });
    const given = daemon.engine.controls.containers().map(({ limits }) => limits.memoryBytes ?? 0);
    assert.deepEqual(given, [64 * MIB, 448 * MIB]);
  });

  it('counts a database that is restored from the trash', async () => {
    const main = await database(daemon, { project: shop });
    await daemon.call('DELETE', `/api/databases/${main.reference}?confirm=${main.name}`);
    await set({ databases: 0 });
    await problemOf('POST', `/api/trash/databases/${main.id}/restore`);
    assert.equal((await read()).used.databases, 0);
  });

  it('is named as the reason if an installation exceeds the quota', async () => {
    await set({ replicas: 0 });
    const file = `version: 1\nname: notes\nproject: ${shop}\nminCubeship: ">=0.9.0"\nminVersion: ">=0.1.0"\napps:\n  - {key: notes, image: registry.test/acme/notes, tag: "1", port: 8080}\n`;
    const body = { source: { file }, project: shop, environment: 'production' };
    const { text } = await daemon.call('POST', '/api/template-installs?wait=true', body);
    const task = JSON.parse(text) as Task;
    assert.equal(task.status, 'failed', text);
    assert.match(task.error ?? '', /quota allows 0 replicas/);
  });

  describe('for disk space', () => {
    const events = () =>
      eventsAfter(daemon.core.store, 0, 10_000)
        .filter(({ projectId }) => projectId === id)
        .map(({ data }) => (data as Partial<AppEvent>).change)
        .filter((change) => change?.startsWith('disk_quota'));
    /**
     * Waits for a new measurement. A change of the quota requests one, because a measurement in progress may not
     * include the change.
     */
    async function measured(bytes: number): Promise<Quota> {
      const before = daemon.engine.controls.count('storageUse');
      await set({ disk_bytes: bytes });
      await daemon.settled();
      assert.ok(daemon.engine.controls.count('storageUse') > before, 'it was measured');
      return read();
    }

    it('refuses new deployments and volumes above the limit, with an event for each change', async () => {
      const { app: web } = await deployedApp(daemon, { project: shop });
      const { name } = JSON.parse(
        (await daemon.call('POST', `/api/apps/${web.reference}/volumes`, { path: '/data' })).text,
      );
      await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v2' });
      assert.equal(daemon.engine.controls.count('storageUse'), 0);
      const before = (await measured(2 ** 40)).used.disk_bytes ?? 0;
      assert.ok(before > 0, 'its images take room');
      // The logs of its replicas grow slightly in the meantime.
      const limit = before + 5 * MIB;

      daemon.engine.controls.fillVolume(name, 10 * MIB);
      for (let pass = 0; pass < 3; pass++) {
        const { used } = await measured(limit);
        assert.ok((used.disk_bytes ?? 0) >= before + 10 * MIB);
      }
      assert.deepEqual(events(), ['disk_quota_exceeded']);
      const { quota } = await problemOf('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v3' });
      assert.deepEqual({ ...quota, used: null }, { resource: 'disk_bytes', limit, used: null, requested: null });
      assert.equal(quota?.used, (await read()).used.disk_bytes);
      const other = await app(daemon, { project: shop });
      await problemOf('POST', `/api/apps/${other.reference}/volumes`, { path: '/more' });
      await problemOf('POST', '/api/databases', { project: shop, name: 'main', engine: 'redis' });
      // A restart of existing containers uses no more disk space.
      assert.equal((await daemon.call('POST', `/api/apps/${web.reference}/restart?wait=true`)).status, 200);

      daemon.engine.controls.fillVolume(name, 0);
      await measured(limit);
      assert.deepEqual(events(), ['disk_quota_exceeded', 'disk_quota_met']);
      assert.equal(
        (await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v3' })).status,
        200,
      );
    });

    it('counts the volumes that images declare', async () => {
      const before = (await measured(2 ** 40)).used.disk_bytes ?? 0;
      daemon.engine.controls.addImage('registry.test/acme/heavy:v1', {
        ...{ where: 'registry', exposedPorts: [8080], sizeBytes: 0 },
        behaviour: { unnamedVolumeBytes: 300 * MIB },
      });
      const heavy = await app(daemon, { project: shop, image: 'registry.test/acme/heavy' });
      await daemon.call('POST', `/api/apps/${heavy.reference}/deploy?wait=true`, { tag: 'v1' });

      const after = (await measured(2 ** 40)).used.disk_bytes ?? 0;

      assert.ok(after >= before + 300 * MIB, `${before} before, ${after} after`);
    });

    it('counts stored logs and backups on this server', async () => {
      const { app: web } = await deployedApp(daemon, { project: shop });
      const noise = (bytes: number) => randomBytes(bytes).toString('base64');
      const usedNow = async () => (await measured(2 ** 40)).used.disk_bytes ?? 0;
      const before = await usedNow();

      const replica = daemon.engine.controls.containers().find(({ app: of }) => of === web.reference);
      for (let n = 0; n < 200; n++) daemon.engine.controls.writeLog(replica?.id ?? '', noise(12_000));
      const withLogs = await until('the logs', async () => {
        const used = await usedNow();
        return used > before + 2 * MIB ? used : null;
      });

      const main = await database(daemon, { project: shop });
      daemon.engine.controls.program('pg_dump', async ({ write }) => {
        await write(`PGDMP {"public.goods":1}${noise(3 * MIB)}`);
        return 0;
      });
      const taken = await daemon.call('POST', `/api/databases/${main.reference}/backups?wait=true`);
      assert.equal((JSON.parse(taken.text) as Task).status, 'succeeded', taken.text);
      const [backup] = JSON.parse((await daemon.call('GET', `/api/databases/${main.reference}/backups`)).text);
      assert.ok(backup.size_bytes > 2 * MIB);
      assert.ok((await usedNow()) >= withLogs + backup.size_bytes);
    });

    it('counts pushed images with and without tags, and refuses pushes above the limit', async () => {
      const pushed = await app(daemon, { project: shop, source: 'registry', image: null });
      const token = (actions: string, project = pushed.reference) =>
        daemon.ask('GET', `/v2/token?service=davit&scope=repository:${project}:${actions}`, {
          authorization: `Basic ${Buffer.from(`admin:${daemon.key}`).toString('base64')}`,
        });
      const before = (await measured(MIB)).used.disk_bytes ?? 0;
      assert.equal((await token('pull,push')).status, 200);
      const digest = daemon.registry.push(pushed.reference, 'v1', 'x'.repeat(2 * MIB));
      await daemon.registry.untag({ repository: pushed.reference, tag: 'v1' }, digest);

      assert.ok(((await measured(MIB)).used.disk_bytes ?? 0) >= before + 2 * MIB);

      const refused = await token('pull,push');
      assert.equal(refused.status, 403);
      assert.match(refused.text, /its quota allows 1 MiB/);
      assert.equal((await token('pull')).status, 200);
      const other = await app(daemon, { project: await project(daemon), source: 'registry', image: null });
      assert.equal((await token('pull,push', other.reference)).status, 200);
    });

    it('keeps the last measured use while the engine is unavailable', async () => {
      await deployedApp(daemon, { project: shop });
      const { used } = await measured(2 ** 40);
      daemon.engine.controls.setAvailable(false);
      await set({ disk_bytes: 2 ** 41 });
      assert.deepEqual((await read()).used.disk_bytes, used.disk_bytes);
      daemon.engine.controls.setAvailable(true);
    });
  });
});
