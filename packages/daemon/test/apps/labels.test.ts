/** Tests labels of apps, by which users can filter the list of apps. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';

describe('labels of an app', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const patch = (app: App, labels: unknown) => daemon.call('PATCH', `/api/apps/${app.reference}`, { labels });
  const labelsOf = async (app: App) => (await daemon.client.getApp({ params: paramsOf(app) })).labels;
  const found = async (label: string, key = daemon.key) => {
    const { status, text } = await daemon.call('GET', `/api/apps?label=${encodeURIComponent(label)}`, undefined, key);
    assert.equal(status, 200, text);
    return (JSON.parse(text) as App[]).map(({ name }) => name);
  };

  it('are set at creation, merged by a patch, and replaced by a put', async () => {
    const app = await makeApp(daemon, { labels: { team: 'shop', tier: 'web' } });
    assert.deepEqual(app.labels, { team: 'shop', tier: 'web' });

    await patch(app, { tier: null, owner: 'ada' });
    assert.deepEqual(await labelsOf(app), { team: 'shop', owner: 'ada' });
    await daemon.call('PUT', `/api/apps/${app.reference}`, { source: 'registry', labels: { a: '' } });
    assert.deepEqual(await labelsOf(app), { a: '' });
    await patch(app, null);
    assert.deepEqual(await labelsOf(app), {});
  });

  it('apply immediately without a pending change or a new container', async () => {
    const { app } = await deployedApp(daemon);
    const before = daemon.engine.controls.containers().map(({ id }) => id);

    const { status, text } = await patch(app, { team: 'shop' });

    assert.deepEqual([status, JSON.parse(text).pending_changes], [200, false]);
    assert.deepEqual(
      daemon.engine.controls.containers().map(({ id }) => id),
      before,
    );
  });

  it('are refused without a change if a label is not valid', async () => {
    const app = await makeApp(daemon, { labels: { team: 'shop' } });
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`k${n}`, '']));
    const bad = [
      { Team: 'x' },
      { '': 'x' },
      { '-a': 'x' },
      { 'a-': 'x' },
      { 'a b': 'x' },
      { 'a=b': 'x' },
      { 'a,b': 'x' },
      { ['k'.repeat(64)]: 'x' },
      { a: 1 },
      { a: 'x'.repeat(256) },
      { a: 'two\nlines' },
      { a: '\u0007' },
      [],
      'team=shop',
      many,
    ];

    for (const labels of bad) {
      const { status, text } = await patch(app, labels);
      assert.equal(status, 400, `${JSON.stringify(labels)} ${text}`);
      assert.match(text, /^labels/);
    }
    assert.deepEqual(await labelsOf(app), { team: 'shop' });
    assert.equal((await patch(app, { ['k'.repeat(63)]: 'é — ✓ =,;', 'a/b.c_d-e': '' })).status, 200);
  });

  it('find apps by key, by value, and by several labels', async () => {
    const inProject = await project(daemon);
    const named = (name: string, labels: object) => makeApp(daemon, { project: inProject, name, labels });
    await named('one', { find: 'a', more: 'x' });
    await named('two', { find: 'b', more: 'x' });
    await named('three', { more: 'x=y' });

    assert.deepEqual(await found('find'), ['one', 'two']);
    assert.deepEqual(await found('find=b'), ['two']);
    assert.deepEqual(await found('find,more=x'), ['one', 'two']);
    assert.deepEqual(await found('find=a,more=x'), ['one']);
    assert.deepEqual(await found('find=a,find=b'), []);
    assert.deepEqual(await found('more=x=y'), ['three']);
    assert.deepEqual(await found('find='), []);
    assert.deepEqual(await found('constructor'), []);
  });

  it('find only apps that the caller can access', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const own = await makeApp(daemon, { project: mine, labels: { scope: 'x' } });
    await makeApp(daemon, { project: theirs, labels: { scope: 'x' } });

    assert.deepEqual(await found('scope', user(daemon, 'viewer', [mine]).key), [own.name]);
  });

  it('are refused as a filter if the query is not valid', async () => {
    for (const query of ['label=', 'label=A', 'label==x', 'label=a,', 'label=a&label=b', 'labels=a']) {
      assert.equal((await daemon.call('GET', `/api/apps?${query}`)).status, 400, query);
    }
  });
});
