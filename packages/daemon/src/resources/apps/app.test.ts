import assert from 'node:assert/strict';
import test from 'node:test';
import { App, DavitError, type DeploymentProblemCode, DomainCreate } from '@davit/api';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { storedRevision } from '../../app-spec/revision.ts';
import { insertDeployment } from '../../db/tables/deployment.ts';
import { moveDeployment, setFailing } from '../../db/tables/deployment-life.ts';
import { instancesOfApp, moveInstances, setObserved } from '../../db/tables/instance.ts';
import { imageOf } from '../../image-references/app-image.ts';
import { addDomain } from '../domains/domain.ts';
import { createProject } from '../projects/project.ts';
import { restoreRevision } from '../revisions/restore.ts';
import { patchingVariables } from '../variables/level.ts';
import { changeVariables, ofApp } from '../variables/variables.ts';
import { listApps, readApp } from './app.ts';
import { createApp, deleteApp, patchApp, putApp } from './settings.ts';

const read = (harness: CoreHarness) => readApp(harness.core, harness.admin, harness.app());

test('createApp stores an app with the default settings of the contract', () => {
  using harness = CoreHarness.withApp();

  const app = App.parse(read(harness));

  assert.equal(app.reference, 'shop/production/web');
  assert.equal(app.internal_host, 'web.production.shop.internal');
  assert.equal(app.suggested_host, 'web.production.shop.davit.test');
  assert.equal(app.status, 'pending');
  assert.equal(app.live_deployment, null);
  assert.equal(app.live_tag, null);
  assert.equal(app.pending_changes, false);
  assert.equal(app.observed_at, '1970-01-01T00:00:00.000Z');
  assert.deepEqual(app.stop, { signal: 'SIGTERM', drain_s: 30, grace_s: 10 });
  assert.deepEqual(storedRevision(harness.core, harness.app().id, 1).spec, harness.app().spec);
});

test('an app with source registry has its own repository and deploys pushes unless pinned', async () => {
  using harness = CoreHarness.withApp({ source: 'registry', image: null });

  assert.equal(read(harness).image, 'localhost:5000/shop/production/web');
  assert.equal(read(harness).autodeploy, true);
  assert.equal((await patchApp(harness.core, harness.admin, harness.app(), { tag: 'v1' })).autodeploy, false);
  assert.equal(imageOf({ ...harness.app().spec, image: 'acme/x' }, harness.app(), harness.core.facts), 'acme/x');
});

test('createApp requires a visible environment, a sufficient role and an unused name', () => {
  using harness = CoreHarness.withApp();
  createProject(harness.core, harness.admin, { slug: 'other' });
  const create = (project: string, environment: string, ctx = harness.admin) =>
    createApp(harness.core, ctx, { ...harness.app().spec, project, environment, name: 'new' });

  assert.throws(() => create('nowhere', 'production'), refusal('not_found'));
  assert.throws(() => create('shop', 'nowhere'), refusal('not_found'));
  assert.throws(() => create('shop', 'production', harness.as('member', ['other'])), refusal('not_found'));
  assert.throws(() => create('shop', 'production', harness.as('viewer')), refusal('forbidden'));
  assert.equal(create('shop', 'production', harness.as('member', ['shop'])).name, 'new');
  assert.throws(() => create('shop', 'production'), refusal('conflict', /new/));
});

test('listApps returns only the visible apps in order of their references', () => {
  using harness = CoreHarness.withApp();
  createProject(harness.core, harness.admin, { slug: 'shop-b' });
  harness.addApp('api', { project: 'shop-b' });
  harness.addApp('api');
  harness.release();
  const references = (ctx = harness.admin) => listApps(harness.core, ctx).items.map(({ reference }) => reference);

  assert.deepEqual(references(), ['shop-b/production/api', 'shop/production/api', 'shop/production/web']);
  assert.deepEqual(references(harness.as('viewer', ['shop-b'])), ['shop-b/production/api']);
  assert.deepEqual(listApps(harness.core, harness.admin).items[2], read(harness));
});

test('patchApp changes named fields, resets null fields, and stores a revision', async () => {
  using harness = CoreHarness.withApp({ tag: 'v1', args: ['a', 'b'] });

  const app = await patchApp(harness.core, harness.admin, harness.app(), {
    tag: null,
    args: ['c'],
    health: { path: '/up' },
    limits: { cpu: 2 },
  });

  assert.deepEqual([app.tag, app.args, app.revision], [null, ['c'], 2]);
  assert.deepEqual(app.health, { path: '/up', interval_ms: 500, timeout_ms: 5_000, grace_s: 60, successes: 1 });
  assert.equal(app.limits.cpu, 2);
  assert.equal(storedRevision(harness.core, harness.app().id, 1).spec.tag, 'v1');
  assert.equal((await patchApp(harness.core, harness.admin, harness.app(), { health: null })).health.path, null);
});

test('patchApp creates no revision if nothing changes', async () => {
  using harness = CoreHarness.withApp({ tag: 'v1' });

  assert.equal((await patchApp(harness.core, harness.admin, harness.app(), { tag: 'v1' })).revision, 1);
  assert.equal((await patchApp(harness.core, harness.admin, harness.app(), {})).revision, 1);
});

test('patchApp validates the complete settings after the patch', async () => {
  using harness = CoreHarness.withApp();
  const patch = (fields: object) => patchApp(harness.core, harness.admin, harness.app(), fields);

  await assert.rejects(patch({ image: null }), refusal('invalid_input', /^image: is required/));
  await assert.rejects(patch({ source: 'registry' }), refusal('invalid_input', /^image: must be left out/));
  await assert.rejects(patch({ source: null }), refusal('invalid_input', /^source: /));
  assert.equal((await patch({ source: 'registry', image: null })).source, 'registry');
});

test('patchApp accepts a null port for a worker', async () => {
  using harness = CoreHarness.withApp({ port: 3000 });

  const app = await patchApp(harness.core, harness.admin, harness.app(), { port: null });

  assert.equal(app.port, null);
});

test('patchApp refuses a null port for an app with a domain', async () => {
  using harness = CoreHarness.withApp();
  await addDomain(harness.core, harness.admin, harness.app(), DomainCreate.parse({ host: 'a.example' }));

  const change = patchApp(harness.core, harness.admin, harness.app(), { port: null });

  await assert.rejects(change, refusal('conflict', /a\.example/));
  assert.equal(read(harness).revision, 1);
});

test('putApp replaces the settings and creates a revision', async () => {
  using harness = CoreHarness.withApp({ tag: 'v1', port: 3000 });
  const { spec } = harness.app();

  const app = await putApp(harness.core, harness.admin, harness.app(), { ...spec, tag: null, image: 'acme/two' });

  assert.deepEqual([app.tag, app.image, app.revision], [null, 'acme/two', 2]);
});

test('patchApp marks changes as pending and starts no deployment', async () => {
  using harness = CoreHarness.withApp();
  harness.release();
  assert.equal(read(harness).pending_changes, false);

  const app = await patchApp(harness.core, harness.admin, harness.app(), { args: ['x'] });

  assert.equal(app.pending_changes, true);
  assert.deepEqual(harness.deploys.asks, []);
});

test('changes are no longer pending when settings and variables equal those of the live release', async () => {
  using harness = CoreHarness.withApp();
  harness.release();
  const { core, admin } = harness;
  const variables = (change: { set?: Record<string, string>; unset?: string[] }) => {
    const patch = patchingVariables({ set: {}, unset: [], secret: [], ...change });
    return changeVariables(core, admin, ofApp(harness.app()), patch);
  };
  const seen: boolean[] = [];
  for (const change of [
    () => patchApp(core, admin, harness.app(), { args: ['x'] }),
    () => patchApp(core, admin, harness.app(), { args: null, labels: { team: 'a' } }),
    () => variables({ set: { MODE: 'a' } }),
    () => variables({ unset: ['MODE'] }),
    () => patchApp(core, admin, harness.app(), { command: ['y'] }),
    () => restoreRevision(core, admin, harness.app(), '1'),
  ]) {
    await change();
    seen.push(read(harness).pending_changes);
  }

  assert.deepEqual(seen, [true, false, true, false, true, false]);
});

test('patchApp deploys the live tag if the scale changes', async () => {
  using harness = CoreHarness.withApp();
  await patchApp(harness.core, harness.admin, harness.app(), { scale: 2 });
  assert.deepEqual(harness.deploys.asks, [], 'nothing is live yet');
  harness.release({ tag: 'v7' });

  await patchApp(harness.core, harness.admin, harness.app(), { scale: 3 });

  const trigger = { kind: 'scale', by: 'admin', via: 'api' };
  assert.deepEqual(harness.deploys.asks, [{ app: 'shop/production/web', tag: 'v7', trigger }]);
});

test('patchApp does not save a scale while the engine is unavailable', async () => {
  using harness = CoreHarness.withApp();
  harness.release();
  harness.sight = { ...harness.sight, available: false, problem: 'The engine is away.' };

  const scale = patchApp(harness.core, harness.admin, harness.app(), { scale: 3 });

  await assert.rejects(scale, refusal('engine_unavailable', /away/));
  assert.equal(read(harness).scale, 1);
  assert.equal((await patchApp(harness.core, harness.admin, harness.app(), { args: ['x'] })).revision, 2);
});

test('patchApp reports a saved scale whose deployment could not start', async () => {
  using harness = CoreHarness.withApp();
  harness.release();
  harness.deploys.failure = new DavitError('conflict', 'There is no image.');

  const scale = patchApp(harness.core, harness.admin, harness.app(), { scale: 3 });

  await assert.rejects(
    scale,
    refusal(
      'conflict',
      /The change of scale is saved but not applied\. There is no image\. Solve the problem, then deploy the app again/,
    ),
  );
});

test('readApp derives the status from the observed live replicas', () => {
  using harness = CoreHarness.withApp();
  const live = harness.release({ replicas: 2 });
  const rows = instancesOfApp(harness.core.store, harness.app().id);
  const see = (n: number, observed: 'running' | 'down') =>
    harness.core.store.tx((tx) => setObserved(tx, rows[n]?.id ?? 0, { observed, restarts: 1, startedAt: 0 }));
  const states = () => read(harness).replicas.map(({ state }) => state);

  assert.equal(read(harness).status, 'running', 'proven ready and not yet looked at again');
  see(0, 'down');
  assert.equal(read(harness).status, 'degraded');
  assert.deepEqual(states(), ['down', 'ready']);
  see(1, 'down');
  assert.equal(read(harness).status, 'down');
  assert.equal(read(harness).live_deployment, live);
  assert.equal(read(harness).live_tag, 'v1');
});

/** Records a failed deployment of the app `web`, and returns its number. */
function failedDeployment(harness: CoreHarness, code: DeploymentProblemCode): number {
  const { core } = harness;
  const { id: appId, revision } = harness.app();
  return core.store.tx((tx) => {
    const trigger = { kind: 'api', by: 'ada', via: 'api' } as const;
    const release = { tag: 'v2', image: 'acme/web:v2', imageId: null, digest: null, revision, rollbackOf: null };
    const id = insertDeployment(tx, { appId, ...release, trigger, at: core.now() });
    moveDeployment(tx, { id, app_id: appId }, 'running', { at: core.now() });
    setFailing(tx, id, { message: 'The health check failed.', code, lines: [] });
    moveDeployment(tx, { id, app_id: appId }, 'failed', { at: core.now() });
    return id;
  });
}

test('readApp and listApps show the newest deployment of each app, even if it failed', () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  const listed = () => listApps(harness.core, harness.admin).items.map(({ last_deployment: last }) => last);
  assert.deepEqual([read(harness).last_deployment, ...listed()], [null, null, null]);

  const live = harness.release();
  const other = harness.release({ name: 'api' });
  const failed = {
    id: failedDeployment(harness, 'health_check_failed'),
    status: 'failed',
    error_code: 'health_check_failed',
  };

  const app = read(harness);
  assert.deepEqual([app.live_deployment, app.last_deployment], [live, failed]);
  assert.deepEqual(listed(), [{ id: other, status: 'succeeded', error_code: null }, failed]);
});

test('readApp shows a draining replica but ignores its state for the status', () => {
  using harness = CoreHarness.withApp();
  harness.release();
  const [old] = instancesOfApp(harness.core.store, harness.app().id);
  const ids = [old?.id ?? 0];
  harness.core.store.tx((tx) => moveInstances(tx, ids, 'active', 'draining', 1));
  harness.release({ tag: 'v2' });

  assert.deepEqual(
    read(harness).replicas.map(({ state }) => state),
    ['draining', 'ready'],
  );
  assert.equal(read(harness).status, 'running');
  harness.core.store.tx((tx) => moveInstances(tx, ids, 'draining', 'gone'));
  assert.equal(read(harness).replicas.length, 1);
});

test('deleteApp makes the app’s name and hosts available immediately', async () => {
  using harness = CoreHarness.withApp();
  const domain = DomainCreate.parse({ host: 'a.example' });
  await addDomain(harness.core, harness.admin, harness.app(), domain);

  await deleteApp(harness.core, harness.admin, harness.app());
  harness.addApp('web');

  assert.equal((await addDomain(harness.core, harness.admin, harness.app(), domain)).host, 'a.example');
  assert.equal(harness.deploys.removals, 1);
});

test('patchApp reports not_found for an app that was deleted meanwhile', async () => {
  using harness = CoreHarness.withApp();
  const app = harness.app();
  await deleteApp(harness.core, harness.admin, app);

  await assert.rejects(patchApp(harness.core, harness.admin, app, { tag: 'v2' }), refusal('not_found'));
});
