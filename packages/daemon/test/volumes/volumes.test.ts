/** Volumes of apps with the simulated engine: rights, refusals, and the mounts of a release. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { AppVolume } from '@davit/api';
import { deployedApp, app as makeApp, project, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { volumesOfDeployment } from '../../src/db/tables/mount.ts';
import { volumesSetup } from '../support/volumes-setup.ts';

describe('volumes', async () => {
  const { daemon, at, add, remove, read, deploy, every, mounted } = await volumesSetup();
  after(() => daemon[Symbol.asyncDispose]());

  it('belong to the app immediately and are mounted from the next deployment', async () => {
    const { app } = await deployedApp(daemon);
    assert.equal((await read(app)).pending_changes, false);

    const volume = await add(app, '/var/lib/data');

    assert.match(volume.name, new RegExp(`^davit-[a-z0-9]{8}-v${volume.id}$`));
    assert.deepEqual((await read(app)).volumes, [{ id: volume.id, path: '/var/lib/data', name: volume.name }]);
    assert.equal((await read(app)).pending_changes, true);
    assert.deepEqual(mounted(app), []);
    await deploy(app);
    assert.equal((await read(app)).pending_changes, false);
    assert.deepEqual(mounted(app), [{ name: volume.name, path: '/var/lib/data' }]);
    assert.deepEqual((await daemon.engine.volumes()).map(({ name, app: of }) => [name, of]).at(-1), [
      volume.name,
      app.reference,
    ]);
  });

  it('include their size only on request and have a stable ETag', async () => {
    const { app } = await deployedApp(daemon);
    const { id } = await add(app, '/data');
    await deploy(app);

    const one = await daemon.call('GET', `${at(app)}/${id}`);
    const alone = JSON.parse((await daemon.call('GET', `${at(app)}/${id}?sizes=true`)).text);
    const [listed] = JSON.parse((await daemon.call('GET', at(app))).text);
    const [measured] = JSON.parse((await daemon.call('GET', `${at(app)}?sizes=true`)).text);

    assert.deepEqual([JSON.parse(one.text), listed], [listed, listed]);
    assert.deepEqual([alone.size_bytes, listed.size_bytes, measured.size_bytes], [0, undefined, 0]);
    const unchanged = { 'if-match': one.headers.get('etag') ?? '' };
    const removed = await daemon.ask('DELETE', `${at(app)}/${id}?confirm=${listed.name}`, unchanged);
    assert.equal(removed.status, 200, removed.text);
  });

  it('have an unknown size while the engine is unavailable', async () => {
    const app = await makeApp(daemon);
    const { id } = await add(app, '/data');
    daemon.engine.controls.setAvailable(false);

    const { status, text } = await daemon.call('GET', `${at(app)}/${id}?sizes=true`);

    daemon.engine.controls.setAvailable(true);
    assert.deepEqual([status, JSON.parse(text).size_bytes], [200, null]);
  });

  it('are refused with invalid paths or fields', async () => {
    const app = await makeApp(daemon);
    const bad = [
      '',
      'data',
      '/',
      '//',
      '/a/',
      '/a//b',
      '/a/../b',
      '/..',
      '/.',
      '/a/.',
      '/proc',
      '/proc/1',
      '/sys/x',
      '/dev/sda',
      '/etc',
      '/a:b',
      '/a,b',
      '/a\u0001',
      '/a\nb',
      `/${'a'.repeat(255)}`,
      7,
      null,
    ];

    for (const path of bad) {
      const { status, text } = await daemon.call('POST', at(app), { path });
      assert.equal(status, 400, `${JSON.stringify(path)} ${text}`);
      assert.match(text, /^path: /);
    }
    for (const body of [{}, { path: '/a', size: 1 }, { path: '/a', adopt: '' }]) {
      assert.equal((await daemon.call('POST', at(app), body)).status, 400, JSON.stringify(body));
    }
    assert.deepEqual(JSON.parse((await daemon.call('GET', at(app))).text), []);
    for (const path of ['/etc/app', '/process', '/.hidden', '/a.b/..c', '/données']) await add(app, path);
  });

  it('are refused at a used or nested path', async () => {
    const app = await makeApp(daemon);
    await add(app, '/a/b');

    for (const path of ['/a/b', '/a', '/a/b/c']) {
      assert.equal((await daemon.call('POST', at(app), { path })).status, 409, path);
    }
    await add(app, '/a/bc');
  });

  it('are limited to 32 for each app', async () => {
    const app = await makeApp(daemon);
    for (let n = 0; n < 32; n++) await add(app, `/v${n}`);

    const { status, text } = await daemon.call('POST', at(app), { path: '/more' });

    assert.equal(status, 409);
    assert.match(text, /which is the limit/);
  });

  it('cannot be combined with several replicas, in either order', async () => {
    const many = await makeApp(daemon, { scale: 2 });
    const one = await makeApp(daemon);
    await add(one, '/data');

    const refused = await daemon.call('POST', at(many), { path: '/data' });
    const scaled = await daemon.call('PATCH', `/api/apps/${one.reference}`, { scale: 2 });

    assert.deepEqual([refused.status, scaled.status], [409, 409]);
    assert.match(scaled.text, /\/data/);
    assert.equal((await read(one)).scale, 1);
  });

  it('make deployments stop the old release before the new release starts', async () => {
    const { app } = await deployedApp(daemon);
    await add(app, '/data');
    await deploy(app);

    const { text } = await daemon.call('POST', `/api/apps/${app.reference}/deploy?dry_run=true`, { tag: 'v2' });

    const steps = (JSON.parse(text).steps as { name: string }[]).map(({ name }) => name);
    assert.ok(steps.indexOf('stop-old') > 0 && steps.indexOf('stop-old') < steps.indexOf('start'), steps.join());
  });

  it('of other projects are hidden and cannot be adopted or restored', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const own = await makeApp(daemon, { project: mine });
    const other = await makeApp(daemon, { project: theirs });
    const hidden = await add(other, '/data');
    await add(own, '/data');
    await daemon.call('DELETE', `/api/apps/${other.reference}`);
    const member = user(daemon, 'member', [mine]);
    const admin = user(daemon, 'admin', [mine]);

    assert.deepEqual(
      (await every(member.key)).map(({ app }) => app),
      [own.reference],
    );
    const adopting = await daemon.call('POST', at(own), { path: '/x', adopt: hidden.name }, member.key);
    const missing = await daemon.call('POST', at(own), { path: '/x', adopt: 'nothing' }, member.key);
    assert.deepEqual([adopting.status, adopting.text], [409, missing.text]);
    const [unseen, absent] = [
      await daemon.call('POST', `/api/volumes/${hidden.id}/restore`, undefined, admin.key),
      await daemon.call('POST', '/api/volumes/999999/restore', undefined, admin.key),
    ];
    assert.deepEqual([unseen.status, unseen.text], [404, absent.text]);
  });

  it('can be added by members but deleted only by admins', async () => {
    const app = await makeApp(daemon);
    const [viewer, member] = [user(daemon, 'viewer'), user(daemon, 'member')];
    const { id, name } = await add(app, '/data');

    assert.equal((await daemon.call('GET', at(app), undefined, viewer.key)).status, 200);
    assert.equal((await daemon.call('POST', at(app), { path: '/x' }, viewer.key)).status, 403);
    assert.equal((await daemon.call('POST', at(app), { path: '/x' }, member.key)).status, 201);
    for (const path of [`${at(app)}/${id}?confirm=${name}`, `/api/volumes/${id}?confirm=${name}`]) {
      assert.equal((await daemon.call('DELETE', path, undefined, member.key)).status, 403);
    }
    assert.equal((await daemon.call('POST', `/api/volumes/${id}/restore`, undefined, member.key)).status, 403);
    await remove(app, { id, name } as AppVolume);
    assert.equal((await daemon.call('POST', at(app), { path: '/y', adopt: name }, member.key)).status, 409);
    assert.equal((await daemon.call('POST', at(app), { path: '/y', adopt: name })).status, 201);
  });

  it('are available to commands only while the app owns the volumes', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    const { live_deployment } = await read(app);
    const own = () =>
      volumesOfDeployment(daemon.core.store, live_deployment ?? 0).map(({ name, path }) => ({ name, path }));

    assert.deepEqual(own(), [{ name: volume.name, path: '/data' }]);
    assert.equal((await daemon.call('POST', `/api/apps/${app.reference}/stop`)).status, 200);
    await until('no replica is left', async () => (await read(app)).replicas.length === 0);
    await remove(app, volume);
    await add(await makeApp(daemon), '/x', volume.name);

    assert.deepEqual(own(), []);
  });

  it('are found by number only under their own app', async () => {
    const [app, other] = [await makeApp(daemon), await makeApp(daemon)];
    const { id, name } = await add(app, '/data');

    for (const path of [`${at(other)}/${id}`, `${at(app)}/0`, `${at(app)}/x`]) {
      assert.equal((await daemon.call('GET', path)).status, 404, path);
      assert.equal((await daemon.call('DELETE', `${path}?confirm=${name}`)).status, 404, path);
    }
  });

  it('are listed by path and in pages', async () => {
    const app = await makeApp(daemon);
    for (const path of ['/c', '/a', '/b']) await add(app, path);

    const first = await daemon.call('GET', `${at(app)}?limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await daemon.call('GET', next);

    const paths = [first, second].flatMap(({ text }) => (JSON.parse(text) as AppVolume[]).map(({ path }) => path));
    assert.deepEqual(paths, ['/a', '/b', '/c']);
  });

  it('cause an event when added or removed', async () => {
    const app = await makeApp(daemon);
    const seen: unknown[] = [];
    const stop = daemon.core.store.onEvent(({ kind, app: of, data }) => seen.push([kind, of, data]));

    const volume = await add(app, '/data');
    await remove(app, volume);

    stop();
    assert.deepEqual(seen, [
      ['app', app.reference, { change: 'volumes', added: '/data' }],
      ['app', app.reference, { change: 'volumes', removed: '/data' }],
    ]);
  });
});
