/** The newest deployments of all apps that a user sees. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Deployment, DeploymentStatus } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, project, user } from '@davit/testkit';
import { type Query, unchecked } from '../../src/db/select.ts';
import type { Reader } from '../../src/db/store.ts';
import { lastDeployments } from '../../src/db/tables/deployment.ts';
import { recentDeployments } from '../../src/db/tables/recent-deployment.ts';

describe('GET /api/deployments', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { store } = daemon.core;

  async function listed(query = '', key = daemon.key) {
    const { status, text, headers } = await daemon.call('GET', `/api/deployments${query}`, undefined, key);
    assert.equal(status, 200, text);
    return { list: JSON.parse(text) as Deployment[], link: headers.get('link') };
  }

  it('lists deployments of all apps, newest first, like the list of each app', async () => {
    const [one, two] = [await deployedApp(daemon), await deployedApp(daemon)];
    await daemon.client.deployApp({ params: paramsOf(one.app), query: { wait: 'true' }, body: { tag: 'v2' } });

    const { list } = await listed();

    const apps = list.slice(0, 3).map(({ app }) => app);
    assert.deepEqual(apps, [one.app.reference, two.app.reference, one.app.reference]);
    assert.deepEqual(
      list.slice(0, 3).map(({ live }) => live),
      [true, true, false],
    );
    const ofOne = await daemon.client.listDeployments({ params: paramsOf(one.app) });
    assert.deepEqual(
      list.filter(({ app }) => app === one.app.reference),
      ofOne,
    );
  });

  it('supports pagination and a status filter, and refuses invalid values', async () => {
    const { app } = await deployedApp(daemon);
    await daemon.client.deployApp({ params: paramsOf(app), query: { wait: 'true' }, body: { tag: 'crash' } });

    const { list: all } = await listed();
    const first = await listed('?limit=2');
    const cursor = /cursor=(\w+)/.exec(first.link ?? '')?.[1];
    const second = await listed(`?limit=2&cursor=${cursor}`);
    assert.deepEqual([...first.list, ...second.list], all.slice(0, 4));

    for (const status of ['failed', 'succeeded', 'pending'] satisfies DeploymentStatus[]) {
      const { list } = await listed(`?status=${status}`);
      assert.deepEqual(
        list,
        all.filter((one) => one.status === status),
      );
    }
    assert.equal((await daemon.call('GET', '/api/deployments?status=done')).status, 400);
    assert.equal((await daemon.call('GET', '/api/deployments?cursor=x')).status, 400);
  });

  it('lists only apps of visible projects and no deleted apps', async () => {
    const [mine, other] = [await project(daemon), await project(daemon)];
    const [seen, gone] = [await deployedApp(daemon, { project: mine }), await deployedApp(daemon, { project: mine })];
    await deployedApp(daemon, { project: other });
    await daemon.client.deleteApp({ params: paramsOf(gone.app) });
    const viewer = user(daemon, 'viewer', [mine]);
    const blind = user(daemon, 'viewer', []);

    const { list } = await listed('', viewer.key);
    assert.deepEqual(
      list.map(({ id }) => id),
      [seen.deployment.id],
    );
    assert.deepEqual((await listed('?status=succeeded', viewer.key)).list, list);
    assert.deepEqual((await listed('', blind.key)).list, []);
    const { list: all } = await listed();
    assert.ok(!all.some(({ app }) => app === gone.app.reference));
  });

  /** Returns the indexes with which SQLite reads the table `deployments` for the queries of `read`. */
  function indexesOf(read: (reader: Reader) => unknown): (string | undefined)[] {
    const steps: string[] = [];
    const reader = {
      all: ({ sql }: Query<unknown>, ...values: (string | number)[]) => {
        const plan = store.all(unchecked<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`), ...values);
        steps.push(...plan.map(({ detail }) => detail));
        return [];
      },
    };
    read(reader as unknown as Reader);
    const own = steps.filter((step) => / (d|deployments) USING/.test(step));
    return own.map((step) => /USING (.+?) \(/.exec(step)?.[1]);
  }

  const byNumber = 'INTEGER PRIMARY KEY';

  it('uses an index for every combination of project and status filter', () => {
    const plans = (projects: number[] | null, status: DeploymentStatus | null) =>
      indexesOf((reader) => recentDeployments(reader, projects, { limit: 51, before: null, status }));
    assert.deepEqual(plans(null, null), [byNumber]);
    assert.deepEqual(plans(null, 'failed'), ['INDEX deployments_status']);
    assert.deepEqual(plans([1], null), [byNumber, 'COVERING INDEX deployments_app']);
    assert.deepEqual(plans([1], 'failed'), [byNumber, 'COVERING INDEX deployments_app_status']);
  });

  it('finds the newest deployment of each app in an index', () => {
    assert.deepEqual(indexesOf(lastDeployments), [byNumber, 'COVERING INDEX deployments_app']);
  });
});
