/** Tests revisions of an app: history, comparisons, restores, and changes with an immediate deployment. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  App,
  Deployment,
  RestoredRevision,
  Revision,
  RevisionComparison,
  RevisionSummary,
  Variables,
} from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, type TestDaemon, user } from '@davit/testkit';

let daemon: TestDaemon;

const pathOf = ({ reference }: App) => `/api/apps/${reference}`;
const read = (one: App) => daemon.client.getApp({ params: paramsOf(one) });
const patch = (one: App, body: object, query = '') => daemon.call('PATCH', `${pathOf(one)}${query}`, body);
const setOwn = (one: App, set: Record<string, string>, secret: string[] = []) =>
  daemon.call('PATCH', `${pathOf(one)}/env`, { set, secret });
const setProject = (one: App, body: object, query = '') =>
  daemon.call('PATCH', `/api/projects/${one.project}/env${query}`, body);
const variables = async (one: App) => (await daemon.client.getAppEnv({ params: paramsOf(one) })) as Variables;
const get = async <T>(path: string, key?: string) =>
  JSON.parse((await daemon.call('GET', path, undefined, key)).text) as T;
const restore = async (one: App, number: number, query = '') =>
  daemon.call('POST', `${pathOf(one)}/revisions/${number}/restore${query}`);
const deployments = async (one: App) =>
  (await daemon.client.listDeployments({ params: paramsOf(one) })) as Deployment[];

describe('revisions', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('are listed newest first in pages, with their author and reason', async () => {
    const { app: one } = await deployedApp(daemon);
    await patch(one, { args: ['a'] });
    await patch(one, { scale: 2 });
    await setProject(one, { set: { A: '1' } });
    await daemon.settled();

    const all = await get<RevisionSummary[]>(`${pathOf(one)}/revisions`);
    const first = await daemon.call('GET', `${pathOf(one)}/revisions?limit=3`);
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await get<RevisionSummary[]>(next);

    assert.deepEqual(
      all.map(({ number, reason, changed_by, live }) => [number, reason, changed_by, live]),
      [
        [4, 'variables', 'admin', false],
        [3, 'running', 'admin', false],
        [2, 'settings', 'admin', false],
        [1, 'created', 'admin', true],
      ],
    );
    assert.deepEqual([...(JSON.parse(first.text) as RevisionSummary[]), ...second], all);
  });

  test('include settings and variables, and hide secrets from a viewer', async () => {
    const one = await app(daemon);
    await setOwn(one, { TOKEN: 'hunter2', PLAIN: 'x' }, ['TOKEN']);
    const viewer = user(daemon, 'viewer', [one.project]);

    const full = await get<Revision>(`${pathOf(one)}/revisions/2`);
    const masked = await get<Revision>(`${pathOf(one)}/revisions/2`, viewer.key);

    assert.equal(full.settings.image, 'example/web');
    assert.deepEqual(
      full.variables.map(({ key, value, source }) => [key, value, source]),
      [
        ['PLAIN', 'x', 'app'],
        ['TOKEN', 'hunter2', 'app'],
      ],
    );
    assert.deepEqual(
      masked.variables.map(({ value }) => value),
      ['x', null],
    );
  });

  test('hide values from a viewer if the variables became secret later', async () => {
    const one = await app(daemon);
    const mark = (path: string, key: string) => daemon.call('PATCH', `${path}/env`, { secret: [key] });
    await setOwn(one, { OWN: 'was-open-1', PLAIN: 'x', COVERED: 'covers' });
    await setProject(one, { set: { WIDE: 'was-open-2' } });
    await mark(pathOf(one), 'OWN');
    await mark(`/api/projects/${one.project}`, 'WIDE');
    await setOwn(one, { WIDE: 'covers' });
    const viewer = user(daemon, 'viewer', [one.project]);

    const shown = await get<Revision>(`${pathOf(one)}/revisions/3`, viewer.key);
    const compared = await daemon.call('GET', `${pathOf(one)}/revisions/3/compare?to=1`, undefined, viewer.key);
    const full = await get<Revision>(`${pathOf(one)}/revisions/3`);

    assert.deepEqual(
      shown.variables.map(({ key, value, secret }) => [key, value, secret]),
      [
        ['COVERED', 'covers', false],
        ['OWN', null, true],
        ['PLAIN', 'x', false],
        ['WIDE', null, true],
      ],
    );
    assert.doesNotMatch(compared.text, /was-open/);
    assert.deepEqual(full.variables.find(({ key }) => key === 'WIDE')?.value, 'was-open-2');
  });

  test('are compared by setting paths and variable names', async () => {
    const one = await app(daemon);
    await setOwn(one, { GONE: '1', SAME: '1', SECRET: 'old-secret' }, ['SECRET']);
    await patch(one, { health: { path: '/ready' }, port: null, args: ['a'] });
    await daemon.call('PATCH', `${pathOf(one)}/env`, { set: { NEW: '1', SECRET: 'new-secret' }, unset: ['GONE'] });
    const viewer = user(daemon, 'viewer', [one.project]);

    const seen = await get<RevisionComparison>(`${pathOf(one)}/revisions/2/compare`);
    const back = await get<RevisionComparison>(`${pathOf(one)}/revisions/4/compare?to=2`);
    const masked = await daemon.call('GET', `${pathOf(one)}/revisions/2/compare?to=current`, undefined, viewer.key);

    assert.deepEqual([seen.from, seen.to, back.from, back.to], [2, 4, 4, 2]);
    assert.deepEqual(
      seen.settings.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      [
        { path: 'args', from: null, to: ['a'] },
        { path: 'health.path', from: null, to: '/ready' },
        { path: 'port', from: 8080, to: null },
      ],
    );
    assert.deepEqual(seen.variables, [
      { key: 'GONE', change: 'removed', from: '1', to: null, secret: false },
      { key: 'NEW', change: 'added', from: null, to: '1', secret: false },
      { key: 'SECRET', change: 'changed', from: 'old-secret', to: 'new-secret', secret: true },
    ]);
    assert.doesNotMatch(masked.text, /-secret/);
    assert.match(masked.text, /"key":"SECRET","change":"changed","from":null,"to":null/);
  });

  test('return 404 if missing and 400 for an invalid comparison or cursor', async () => {
    const one = await app(daemon);

    const missing = await daemon.call('GET', `${pathOf(one)}/revisions/9`);
    const word = await daemon.call('GET', `${pathOf(one)}/revisions/newest`);
    const other = await daemon.call('GET', `${pathOf(one)}/revisions/1/compare?to=9`);
    const bad = await daemon.call('GET', `${pathOf(one)}/revisions/1/compare?to=x`);
    const cursor = await daemon.call('GET', `${pathOf(one)}/revisions?cursor=x`);

    assert.deepEqual([missing.status, word.status, other.status, bad.status, cursor.status], [404, 404, 404, 400, 400]);
  });

  test('are restored as a new revision with settings and the app’s own variables', async () => {
    const one = await app(daemon);
    await setOwn(one, { KEPT: '1', CHANGED: 'old' });
    await patch(one, { args: ['a'], port: null });
    await daemon.call('PATCH', `${pathOf(one)}/env`, { set: { CHANGED: 'new', ADDED: '1' }, unset: ['KEPT'] });

    const answer = await restore(one, 2);

    const restored = JSON.parse(answer.text) as RestoredRevision;
    assert.deepEqual([answer.status, restored.app.revision, restored.app.args], [200, 5, null]);
    assert.deepEqual([restored.app.port, restored.not_restored, restored.deployment], [8080, [], null]);
    assert.deepEqual((await variables(one)).vars, { CHANGED: 'old', KEPT: '1' });
    const [newest] = await get<RevisionSummary[]>(`${pathOf(one)}/revisions`);
    assert.equal(newest?.reason, 'restored');
  });

  test('are restored without changes to project variables, and unrestored variables are reported', async () => {
    const one = await app(daemon);
    await setProject(one, { set: { SHARED: 'old', STAYS: '1' } });
    await setOwn(one, { OWN: '1' });
    await setProject(one, { set: { SHARED: 'new', ADDED: '1' } });

    const restored = JSON.parse((await restore(one, 3)).text) as RestoredRevision;

    const { vars, effective } = await variables(one);
    assert.deepEqual(restored.not_restored, [{ key: 'ADDED', source: 'project' }]);
    assert.deepEqual(vars, { OWN: '1', SHARED: 'old' });
    assert.deepEqual(
      effective.map(({ key, value, source }) => `${key}=${value} ${source}`),
      ['ADDED=1 project', 'OWN=1 app', 'SHARED=old app', 'STAYS=1 project'],
    );
    const level = await daemon.client.getProjectEnv({ params: { project: one.project } });
    assert.deepEqual((level as Variables).vars, { ADDED: '1', SHARED: 'new', STAYS: '1' });
  });

  test('create no new revision if the current revision is restored', async () => {
    const one = await app(daemon);

    const restored = JSON.parse((await restore(one, 1)).text) as RestoredRevision;

    assert.equal(restored.app.revision, 1);
  });

  test('can be restored and deployed in a single request', async () => {
    const { app: one, deployment } = await deployedApp(daemon);
    await patch(one, { args: ['broken'] });

    const answer = await restore(one, 1, '?deploy=true');
    await daemon.settled();

    const restored = JSON.parse(answer.text) as RestoredRevision;
    const id = restored.deployment?.id ?? 0;
    assert.deepEqual([answer.status, answer.headers.get('location')], [202, `${pathOf(one)}/deployments/${id}`]);
    const record = await daemon.client.getDeployment({ params: { ...paramsOf(one), deployment: String(id) } });
    assert.deepEqual([record.status, record.revision, record.digest], ['succeeded', 3, deployment.digest]);
  });

  test('cannot be restored by a viewer or listed by an outsider', async () => {
    const one = await app(daemon);
    const viewer = user(daemon, 'viewer', [one.project]);
    const other = user(daemon, 'member', []);
    const path = `${pathOf(one)}/revisions`;

    const refused = await daemon.call('POST', `${path}/1/restore`, undefined, viewer.key);
    const hidden = await daemon.call('GET', path, undefined, other.key);

    assert.deepEqual([refused.status, hidden.status], [403, 404]);
  });

  test('with variables changed outside Davit return a 409 error', async () => {
    const one = await app(daemon);
    daemon.core.store.tx((tx) => tx.run("UPDATE revisions SET variables = 'v1.x.y.z' WHERE number = 1"));

    const answer = await daemon.call('GET', `${pathOf(one)}/revisions/1`);

    assert.deepEqual([answer.status, /changed outside Davit/.test(answer.text)], [409, true]);
  });
});

describe('a change with immediate deployment', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('of settings creates a revision and deploys the live image', async () => {
    const { app: one, deployment } = await deployedApp(daemon);
    daemon.engine.controls.addImage('example/web:v1');

    const answer = await patch(one, { args: ['a'] }, '?deploy=true');
    const { id, revision } = JSON.parse(answer.text) as Deployment;
    await daemon.settled();

    assert.deepEqual([answer.status, revision], [202, 2]);
    assert.equal(answer.headers.get('location'), `${pathOf(one)}/deployments/${id}`);
    const [newest] = await deployments(one);
    assert.deepEqual([newest?.status, newest?.digest], ['succeeded', deployment.digest]);
    assert.equal((await read(one)).pending_changes, false);
  });

  test('of the pinned tag deploys the new tag', async () => {
    const { app: one } = await deployedApp(daemon);

    await daemon.call('PUT', `${pathOf(one)}?deploy=true`, { source: 'image', image: 'example/web', tag: 'v9' });
    await daemon.settled();

    const [newest] = await deployments(one);
    assert.deepEqual([newest?.status, newest?.tag], ['succeeded', 'v9']);
  });

  test('of the scale causes only a single deployment', async () => {
    const { app: one } = await deployedApp(daemon);

    await patch(one, { scale: 2, args: ['a'] }, '?deploy=true');
    await daemon.settled();

    assert.equal((await deployments(one)).length, 2);
    assert.equal((await read(one)).replicas.filter(({ state }) => state === 'ready').length, 2);
  });

  test('is not saved if the deployment is refused', async () => {
    const { app: one } = await deployedApp(daemon);
    const never = await app(daemon);
    daemon.engine.controls.setAvailable(false);

    const away = await patch(one, { args: ['a'] }, '?deploy=true');
    const variable = await daemon.call('PATCH', `${pathOf(one)}/env?deploy=true`, { set: { A: '1' } });
    const wide = await setProject(one, { set: { A: '1' } }, '?deploy=true');
    daemon.engine.controls.setAvailable(true);
    await daemon.settled();
    const nothing = await patch(never, { args: ['a'] }, '?deploy=true');
    const bad = await patch(one, { scale: 0 }, '?deploy=true');

    assert.deepEqual(
      [away.status, variable.status, wide.status, nothing.status, bad.status],
      [503, 503, 503, 409, 400],
    );
    assert.match(nothing.text, /nothing was changed\. Deploy a tag of the app first/);
    assert.deepEqual([(await read(one)).revision, (await read(never)).revision], [1, 1]);
    assert.deepEqual((await variables(one)).effective, []);
    assert.equal((await deployments(one)).length, 1);
  });

  test('of an app’s variables creates a deployment with the new variables', async () => {
    const { app: one } = await deployedApp(daemon);

    const answer = await daemon.call('PUT', `${pathOf(one)}/env?deploy=true`, { vars: { A: '1' } });
    await daemon.settled();

    assert.deepEqual([answer.status, (JSON.parse(answer.text) as Deployment).revision], [202, 2]);
    const [container] = daemon.engine.controls.containers().filter((c) => c.app === one.reference);
    assert.equal(container?.env.A, '1');
  });

  test('of a project’s variables deploys every affected live app', async () => {
    const { app: one } = await deployedApp(daemon);
    const { app: two } = await deployedApp(daemon, { project: one.project });
    const { app: own } = await deployedApp(daemon, { project: one.project });
    const { app: stopped } = await deployedApp(daemon, { project: one.project });
    await app(daemon, { project: one.project });
    await setOwn(own, { A: 'its own' });
    await daemon.client.stopApp({ params: paramsOf(stopped) });

    const answer = await setProject(one, { set: { A: '1' } }, '?deploy=true');
    const same = await setProject(one, { set: { A: '1' } }, '?deploy=true');
    await daemon.settled();

    const redeployed = (JSON.parse(answer.text) as Deployment[]).map((deployment) => deployment.app);
    assert.equal(answer.status, 202);
    assert.deepEqual(redeployed.toSorted(), [one.reference, two.reference].toSorted());
    assert.deepEqual([same.status, JSON.parse(same.text)], [202, []]);
    assert.equal((await read(stopped)).status, 'stopped');
  });
});

describe('a variable changed outside Davit', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  async function broken(): Promise<App> {
    const one = await app(daemon);
    await setOwn(one, { TOKEN: 'a', OTHER: 'b' });
    daemon.core.store.tx((tx) =>
      tx.run("UPDATE variables SET value = 'v1.x.y.z' WHERE key = 'TOKEN' AND owner_id = (SELECT max(id) FROM apps)"),
    );
    return one;
  }

  test('is named in the errors of dependent requests, and the app stays unchanged', async () => {
    const one = await broken();

    const seen = await daemon.call('GET', `${pathOf(one)}/env`);
    const written = await setOwn(one, { NEW: '1' });
    const settings = await patch(one, { args: ['a'] });
    const kept = await daemon.call('PUT', `${pathOf(one)}/env`, { vars: { TOKEN: null } });

    for (const { status, text } of [seen, written, settings, kept]) {
      assert.equal(status, 409);
      assert.match(
        text,
        /^The variable TOKEN of the app cannot be decrypted, because it was changed outside Davit\. Set the variable again, or remove it\.\n$/,
      );
    }
    assert.equal((await read(one)).revision, 2);
  });

  test('is repaired by setting, unsetting or replacing the variable', async () => {
    const set = await broken();
    const unset = await broken();
    const put = await broken();

    await setOwn(set, { TOKEN: 'new' });
    await daemon.call('PATCH', `${pathOf(unset)}/env`, { unset: ['TOKEN'] });
    await daemon.call('PUT', `${pathOf(put)}/env`, { vars: { TOKEN: 'new' } });

    assert.deepEqual((await variables(set)).vars, { OTHER: 'b', TOKEN: 'new' });
    assert.deepEqual((await variables(unset)).vars, { OTHER: 'b' });
    assert.deepEqual((await variables(put)).vars, { TOKEN: 'new' });
  });
});
