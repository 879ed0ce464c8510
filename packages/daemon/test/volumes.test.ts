/** What apps keep between releases, on the simulated engine: who may, what is refused, and that nothing is lost. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App, AppVolume, Volume } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, project, type TestDaemon, user } from '@davit/testkit';
import { trashTask } from '../src/background/trash.ts';
import { volumesOfDeployment } from '../src/store/mounts.ts';
import { until } from './support/poll.ts';

const DAY_MS = 86_400_000;

describe('volumes', () => {
  let daemon: TestDaemon;
  let clock = Date.parse('2026-01-01T00:00:00Z');
  before(async () => {
    daemon = await bootDaemon({ now: () => clock++ });
  });
  after(() => daemon[Symbol.asyncDispose]());

  const at = (app: App) => `/api/apps/${app.reference}/volumes`;
  const add = async (app: App, path: string, adopt?: string): Promise<AppVolume> => {
    const { status, text } = await daemon.call('POST', at(app), { path, ...(adopt !== undefined && { adopt }) });
    assert.equal(status, 201, text);
    return JSON.parse(text) as AppVolume;
  };
  const remove = (app: App, { id, name }: AppVolume) => daemon.call('DELETE', `${at(app)}/${id}?confirm=${name}`);
  const read = (app: App): Promise<App> =>
    daemon.client.getApp({ params: { project: app.project, environment: app.environment, app: app.name } });
  const deploy = (app: App) => daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v1' });
  const every = async (key = daemon.key) =>
    JSON.parse((await daemon.call('GET', '/api/volumes', undefined, key)).text) as Volume[];
  const find = async (name: string) => (await every()).find((volume) => volume.name === name);
  const mounted = (app: App) =>
    daemon.engine.controls
      .containers()
      .filter((c) => c.app === app.reference && c.state === 'running')
      .at(-1)?.volumes;

  it('are an app’s at once and its containers’ from the next deploy on', async () => {
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

  it('are read and listed with their size when asked, and without it have a tag that no write to them changes', async () => {
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

  it('have no size that anybody waits for when the engine is away', async () => {
    const app = await makeApp(daemon);
    const { id } = await add(app, '/data');
    daemon.engine.controls.setAvailable(false);

    const { status, text } = await daemon.call('GET', `${at(app)}/${id}?sizes=true`);

    daemon.engine.controls.setAvailable(true);
    assert.deepEqual([status, JSON.parse(text).size_bytes], [200, null]);
  });

  it('are refused where they cannot be', async () => {
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

  it('are not at one path twice, nor in each other', async () => {
    const app = await makeApp(daemon);
    await add(app, '/a/b');

    for (const path of ['/a/b', '/a', '/a/b/c']) {
      assert.equal((await daemon.call('POST', at(app), { path })).status, 409, path);
    }
    await add(app, '/a/bc');
  });

  it('are as many as an app may have, and no more', async () => {
    const app = await makeApp(daemon);
    for (let n = 0; n < 32; n++) await add(app, `/v${n}`);

    const { status, text } = await daemon.call('POST', at(app), { path: '/more' });

    assert.equal(status, 409);
    assert.match(text, /as many as there may be/);
  });

  it('are for one instance, whichever of the two comes first', async () => {
    const many = await makeApp(daemon, { scale: 2 });
    const one = await makeApp(daemon);
    await add(one, '/data');

    const refused = await daemon.call('POST', at(many), { path: '/data' });
    const scaled = await daemon.call('PATCH', `/api/apps/${one.reference}`, { scale: 2 });

    assert.deepEqual([refused.status, scaled.status], [409, 409]);
    assert.match(scaled.text, /\/data/);
    assert.equal((await read(one)).scale, 1);
  });

  it('make the old release stop before the new one starts', async () => {
    const { app } = await deployedApp(daemon);
    await add(app, '/data');
    await deploy(app);

    const { text } = await daemon.call('POST', `/api/apps/${app.reference}/deploy?dry_run=true`, { tag: 'v2' });

    const steps = (JSON.parse(text).steps as { name: string }[]).map(({ name }) => name);
    assert.ok(steps.indexOf('stop-old') > 0 && steps.indexOf('stop-old') < steps.indexOf('start'), steps.join());
  });

  it('go to the trash by their name only, and come back from it to where they were', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);

    for (const query of ['', '?confirm=', '?confirm=davit-00000000-v1', `?confirm=${volume.name}x`]) {
      const { status, text } = await daemon.call('DELETE', `${at(app)}/${volume.id}${query}`);
      assert.equal(status, 400, text);
      assert.match(text, /^confirm: /);
    }
    const trashed = JSON.parse((await remove(app, volume)).text) as Volume;
    assert.equal(trashed.state, 'trash');
    assert.equal(Date.parse(trashed.expires_at ?? '') - clock < 7 * DAY_MS, true);
    assert.equal((await read(app)).pending_changes, true);
    assert.deepEqual((await read(app)).volumes, []);
    assert.equal((await remove(app, volume)).status, 404);

    const restored = JSON.parse((await daemon.call('POST', `/api/volumes/${volume.id}/restore`)).text) as Volume;
    assert.deepEqual([restored.state, restored.expires_at], ['used', null]);
    assert.deepEqual(
      (await read(app)).volumes.map(({ path }) => path),
      ['/data'],
    );
    assert.equal((await read(app)).pending_changes, false);
    assert.equal((await daemon.call('POST', `/api/volumes/${volume.id}/restore`)).status, 409);
  });

  it('are kept when their app is deleted, and adopted by another with what they hold', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    const next = await makeApp(daemon);

    assert.equal((await daemon.call('POST', at(next), { path: '/x', adopt: volume.name })).status, 409);
    assert.equal((await daemon.call('DELETE', `/api/apps/${app.reference}`)).status, 204);
    assert.deepEqual([(await find(volume.name))?.state, (await find(volume.name))?.app], ['kept', app.reference]);
    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume.name));

    const adopted = await add(next, '/x', volume.name);
    assert.deepEqual([adopted.id, adopted.path, adopted.name], [volume.id, '/x', volume.name]);
    assert.deepEqual([(await find(volume.name))?.state, (await find(volume.name))?.app], ['used', next.reference]);
    await deploy(next);
    assert.deepEqual(mounted(next), [{ name: volume.name, path: '/x' }]);
  });

  it('are kept when their project is deleted, and shown to those who see everything', async () => {
    const gone = await project(daemon);
    const { app } = await deployedApp(daemon, { project: gone });
    const { name } = await add(app, '/data');
    await deploy(app);
    const limited = user(daemon, 'admin', [await project(daemon)]);

    assert.equal((await daemon.call('DELETE', `/api/projects/${gone}`)).status, 204);

    assert.deepEqual([(await find(name))?.state, (await find(name))?.app], ['kept', app.reference]);
    assert.deepEqual(await every(limited.key), []);
    assert.ok((await daemon.engine.volumes()).some((volume) => volume.name === name));
  });

  it('are not removed under a deployment that is about to mount them', async () => {
    const app = await makeApp(daemon);
    const volume = await add(app, '/data');
    const gate = daemon.engine.controls.pause('createGroup');
    const deploying = deploy(app);
    await gate.reached;
    await daemon.call('PATCH', '/api/settings', { volumes: { trash_days: 0 } });
    await remove(app, volume);
    await daemon.call('PATCH', '/api/settings', { volumes: null });
    clock += 1;

    await trashTask(daemon.core).run(new AbortController().signal);
    const asked = await daemon.call('DELETE', `/api/volumes/${volume.id}?confirm=${volume.name}`);

    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume.name));
    assert.equal(asked.status, 409);
    gate.open();
    assert.equal(JSON.parse((await deploying).text).status, 'succeeded');
  });

  it('are not adopted while what runs of another app still writes to them', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    await remove(app, volume);
    const next = await makeApp(daemon);

    const early = await daemon.call('POST', at(next), { path: '/x', adopt: volume.name });
    assert.equal(early.status, 409);
    assert.match(early.text, new RegExp(app.reference));
    await deploy(app);
    await until('the old instance is gone', async () => (await read(app)).instances.length === 1);
    await add(next, '/x', volume.name);

    assert.equal((await daemon.call('POST', at(next), { path: '/y', adopt: 'davit-00000000-v1' })).status, 409);
  });

  it('of a project are seen by those who see it, and by nobody else', async () => {
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

  it('are given by members and deleted by admins', async () => {
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

  it('that no app has are deleted twice: to the trash, then for good', async () => {
    const { app } = await deployedApp(daemon);
    const { id, name } = await add(app, '/data');
    await deploy(app);
    const path = `/api/volumes/${id}?confirm=${name}`;

    assert.equal((await daemon.call('DELETE', path)).status, 409);
    await daemon.call('DELETE', `/api/apps/${app.reference}`);
    const first = await daemon.call('DELETE', path);
    assert.deepEqual([first.status, JSON.parse(first.text).state], [200, 'trash']);
    assert.equal((await daemon.call('DELETE', path)).status, 204);

    assert.equal((await daemon.call('DELETE', path)).status, 404);
    assert.equal(await find(name), undefined);
    assert.equal(
      (await daemon.engine.volumes()).some((volume) => volume.name === name),
      false,
    );
  });

  it('that a container uses are not removed for good, and can still be brought back', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    await remove(app, volume);

    const { status, text } = await daemon.call('DELETE', `/api/volumes/${volume.id}?confirm=${volume.name}`);

    assert.equal(status, 409);
    assert.match(text, /in use/);
    assert.equal((await daemon.call('POST', `/api/volumes/${volume.id}/restore`)).status, 200);
  });

  it('go when their time in the trash is over, but not those that a container uses', async () => {
    const { app } = await deployedApp(daemon);
    const [used, unused] = [await add(app, '/used'), await add(app, '/unused')];
    await deploy(app);
    await remove(app, unused);
    await deploy(app);
    await until('the old instance is gone', async () => (await read(app)).instances.length === 1);
    await remove(app, used);
    await daemon.call('PATCH', '/api/settings', { volumes: { trash_days: 0 } });
    const trash = trashTask(daemon.core);

    await trash.run(new AbortController().signal);
    assert.ok((await find(unused.name)) && (await find(used.name)), 'a changed setting shortens no term');
    clock += 8 * DAY_MS;
    await trash.run(new AbortController().signal);

    assert.equal(await find(unused.name), undefined);
    assert.equal((await find(used.name))?.state, 'trash');
    assert.equal((await daemon.call('POST', `/api/volumes/${used.id}/restore`)).status, 409);
    await deploy(app);
    await until('the old instance is gone', async () => (await read(app)).instances.length === 1);
    await trash.run(new AbortController().signal);
    assert.equal(await find(used.name), undefined);
    await daemon.call('PATCH', '/api/settings', { volumes: null });
  });

  it('are mounted by a command that is run, as long as they are the app’s', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    const { live_deployment } = await read(app);
    const own = () =>
      volumesOfDeployment(daemon.core.store, live_deployment ?? 0).map(({ name, path }) => ({ name, path }));

    assert.deepEqual(own(), [{ name: volume.name, path: '/data' }]);
    assert.equal((await daemon.call('POST', `/api/apps/${app.reference}/stop`)).status, 200);
    await until('no instance is left', async () => (await read(app)).instances.length === 0);
    await remove(app, volume);
    await add(await makeApp(daemon), '/x', volume.name);

    assert.deepEqual(own(), []);
  });

  it('of an app are found by their number under that app only', async () => {
    const [app, other] = [await makeApp(daemon), await makeApp(daemon)];
    const { id, name } = await add(app, '/data');

    for (const path of [`${at(other)}/${id}`, `${at(app)}/0`, `${at(app)}/x`]) {
      assert.equal((await daemon.call('GET', path)).status, 404, path);
      assert.equal((await daemon.call('DELETE', `${path}?confirm=${name}`)).status, 404, path);
    }
  });

  it('are listed in pages', async () => {
    const app = await makeApp(daemon);
    for (const path of ['/c', '/a', '/b']) await add(app, path);

    const first = await daemon.call('GET', `${at(app)}?limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await daemon.call('GET', next);

    const paths = [first, second].flatMap(({ text }) => (JSON.parse(text) as AppVolume[]).map(({ path }) => path));
    assert.deepEqual(paths, ['/a', '/b', '/c']);
  });

  it('are told of in an event', async () => {
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
