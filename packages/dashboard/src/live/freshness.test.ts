import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { AppChange, AppEvent, Deployment, DeploymentEvent, InstanceEvent, MachineEvent } from '@davit/api';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { Freshness } from './freshness.ts';
import type { Happened } from './messages.ts';

const PARAMS = { project: 'shop', environment: 'production', app: 'web' };
const APP = 'shop/production/web';
const AT = '2026-01-01T00:00:00.000Z';

type Key = readonly unknown[];

const deployed = (more: Partial<DeploymentEvent>): Happened => ({
  event: 'deployment',
  data: { seq: 1, at: AT, app: APP, id: 7, status: 'running', phase: null, step: null, error: null, ...more },
});
const changed = (change: AppChange, more: Partial<AppEvent> = {}): Happened => {
  const target = { project: 'shop', environment: 'production', app: APP };
  return { event: 'app', data: { seq: 1, at: AT, ...target, change, deployment: null, revision: null, ...more } };
};
const seen = (more: Partial<InstanceEvent>): Happened => ({
  event: 'instance',
  data: { seq: 1, at: AT, app: APP, deployment: 7, replica: 'one', state: 'down', change: null, ...more },
});

describe('Freshness', () => {
  let queries: QueryClient;
  let freshness: Freshness;
  let fetched: string[];
  /** While it is not `null`, responses wait until it is resolved. */
  let gate: PromiseWithResolvers<void> | null;
  let left: (() => void)[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    queries = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY } },
    });
    freshness = new Freshness(queries);
    fetched = [];
    gate = null;
    left = [];
  });
  afterEach(() => {
    for (const leave of left) leave();
    queries.clear();
    mock.timers.reset();
  });

  /** Adds a response that a page shows to the query cache. */
  async function show(queryKey: Key, answer: unknown = {}): Promise<void> {
    const queryFn = async () => {
      fetched.push(String(queryKey[0]));
      await gate?.promise;
      return answer;
    };
    left.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined));
    await settle();
    fetched = [];
  }

  async function settle(ms = 0): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    if (ms === 0) return;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }

  const deployment = (id: number) =>
    ({ id, status: 'pending', phase: null, steps: [], started_at: null }) as unknown as Deployment;

  it('refetches the instance only if a machine event differs from the shown state', async () => {
    await show(['getInstance', {}, {}], { engine: { available: true }, disk: { state: 'ok' }, warnings: [] });
    const measured = async (more: Partial<MachineEvent>) => {
      const same = { engine_available: true, disk_state: 'ok', warnings: 0 } as MachineEvent;
      freshness.take({ event: 'machine', data: { ...same, ...more } });
      for (const ms of [1_000, 1_000]) await settle(ms);
      return fetched.splice(0);
    };
    assert.deepEqual(await measured({}), []);
    for (const more of [{ engine_available: false }, { disk_state: null }, { warnings: 1 }])
      assert.deepEqual(await measured(more), ['getInstance'], JSON.stringify(more));
  });

  it('writes deployment events into all cached responses without a request', async () => {
    const one = ['getDeployment', { ...PARAMS, deployment: '7' }, {}];
    const list = ['listDeployments', PARAMS, {}];
    const recent = ['listRecentDeployments', {}, {}];
    await show(one, deployment(7));
    await show(list, [deployment(8), deployment(7)]);
    await show(recent, { pages: [{ items: [deployment(8)] }, { items: [deployment(7)] }], pageParams: [] });
    const other = queries.getQueryData<Deployment[]>(list)?.[0];

    freshness.take(deployed({ phase: 'pulling' }));
    freshness.take(deployed({ step: { name: 'pull', state: 'started' } }));

    assert.equal(queries.getQueryData<Deployment>(one)?.phase, 'pulling');
    assert.equal(queries.getQueryData<Deployment[]>(list)?.[1]?.steps[0]?.name, 'pull');
    assert.equal(queries.getQueryData<Deployment[]>(list)?.[0], other);
    const pages = queries.getQueryData<{ pages: { items: Deployment[] }[] }>(recent)?.pages;
    assert.equal(pages?.[1]?.items[0]?.status, 'running');
    await settle(5_000);
    assert.deepEqual(fetched, []);
  });

  it('refetches the app, deployment and app list after a deployment ends', async () => {
    await show(['getDeployment', { ...PARAMS, deployment: '7' }, {}], deployment(7));
    await show(['getApp', PARAMS, {}]);
    await show(['getApp', { ...PARAMS, app: 'api' }, {}]);
    await show(['getAppLogs', PARAMS, {}]);
    await show(['listApps', {}, {}], []);
    freshness.take(deployed({ status: 'failed', error: 'no room' }));
    await settle(5_000);
    assert.deepEqual(fetched.toSorted(), ['getApp', 'getDeployment', 'listApps']);
  });

  it('limits two hundred events to two requests per query', async () => {
    await show(['getApp', PARAMS, {}]);
    await show(['listApps', {}, {}], []);
    gate = Promise.withResolvers();
    for (let n = 0; n < 100; n += 1) freshness.take(changed('settings', { seq: n }));
    await settle(100);
    assert.deepEqual(fetched.toSorted(), ['getApp', 'listApps']);
    for (let n = 0; n < 100; n += 1) freshness.take(changed('settings', { seq: n }));
    await settle(5_000);
    assert.equal(fetched.length, 2, 'one request is still running');
    gate.resolve();
    gate = null;
    await settle(1_000);
    await settle(1_000);
    assert.deepEqual(fetched.toSorted(), ['getApp', 'getApp', 'listApps', 'listApps']);
    await settle(60_000);
    assert.equal(fetched.length, 4);
  });

  it('refetches a query once more if an event arrives during the request', async () => {
    const key = ['getDeployment', { ...PARAMS, deployment: '7' }, {}];
    await show(key, deployment(7));
    gate = Promise.withResolvers();
    void queries.refetchQueries({ queryKey: key });
    await settle();
    freshness.take(deployed({ phase: 'pulling' }));
    await settle(100);
    assert.equal(fetched.length, 1);
    gate.resolve();
    await settle(1_000);
    assert.equal(fetched.length, 2);
  });

  it('marks unobserved queries as stale without a request', async () => {
    const key = ['getApp', PARAMS, {}];
    queries.setQueryData(key, {});
    freshness.take(seen({}));
    await settle(1_000);
    assert.deepEqual(fetched, []);
    assert.ok(queries.getQueryState(key)?.isInvalidated);
    queries.setQueryData(['listDeployments', PARAMS, {}], [deployment(7)]);
    freshness.take(deployed({ status: 'failed' }));
    freshness.take(deployed({ phase: 'pulling' }));
    assert.ok(queries.getQueryState(['listDeployments', PARAMS, {}])?.isInvalidated);
  });

  const affected: [what: string, happened: Happened, keys: string[]][] = [
    ['an app’s domains', changed('domains'), ['getApp', 'listApps', 'listCertificates']],
    ['an app’s runs', changed('runs'), ['listRuns']],
    ['a replica of an app', seen({}), ['getApp', 'listApps']],
    ['the instance’s settings', seen({ app: null, replica: null, change: 'settings' }), ['getInstance']],
    ['another app', changed('settings', { app: 'shop/production/api' }), ['listApps', 'listDatabases']],
    ['another app’s variables', changed('variables', { app: 'shop/production/api' }), ['listApps', 'listDatabases']],
    [
      'an environment',
      changed('created', { app: null, environment: 'staging' }),
      ['listApps', 'listDatabases', 'listEnvironments', 'listProjects'],
    ],
    ['a deployment that was requested', deployed({ id: 9, status: 'pending' }), ['getApp']],
  ];
  for (const [what, happened, keys] of affected) {
    it(`refetches the affected queries after a change to ${what}`, async () => {
      await show(['getApp', PARAMS, {}]);
      await show(['listRuns', PARAMS, {}], []);
      await show(['getAppMetrics', PARAMS, { window: '1h' }]);
      for (const id of ['listApps', 'listDatabases', 'listCertificates', 'listProjects', 'getInstance', 'listUsers'])
        await show([id, {}, {}]);
      await show(['listEnvironments', { project: 'shop' }, {}], []);
      const own = happened.event === 'app' && happened.data.app === APP && happened.data.change !== 'runs';
      freshness.take(happened);
      await settle(1_000);
      assert.deepEqual(fetched.toSorted(), [...keys, ...(own ? ['listRuns'] : [])].toSorted());
    });
  }

  it('refetches only queries older than the given time', async () => {
    await show(['getApp', PARAMS, {}]);
    mock.timers.setTime(1_010_000);
    await show(['listApps', {}, {}]);
    freshness.rereadBefore(1_005_000);
    await settle(1_000);
    assert.deepEqual(fetched, ['getApp']);
  });
});
