/**
 * Tests that volumes in the trash, and volumes of deleted apps, are not deleted too early. No other user may get their
 * data.
 */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { App, AppVolume, Volume } from '@davit/api';
import { deployedApp, app as makeApp, project, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { trashTask } from '../../src/reconcilers/trash.ts';
import { volumesSetup } from '../support/volumes-setup.ts';

const DAY_MS = 86_400_000;

describe('removed and kept volumes', async () => {
  const { daemon, at, add, remove, read, deploy, every, find, mounted, now, pass } = await volumesSetup();
  after(() => daemon[Symbol.asyncDispose]());

  const isMounted = (name: string) =>
    daemon.engine.controls
      .containers()
      .some(
        ({ kind, state, volumes }) => kind === 'run' && state === 'running' && volumes.some((v) => v.name === name),
      );

  /** Checks that a volume in the trash is neither adopted nor deleted. */
  async function refusesAll(app: App, { id, name }: AppVolume): Promise<void> {
    const adopted = await daemon.call('POST', at(app), { path: '/x', adopt: name });
    assert.equal(adopted.status, 409, adopted.text);
    const deleted = await daemon.call('DELETE', `/api/volumes/${id}?confirm=${name}`);
    assert.equal(deleted.status, 409, deleted.text);
  }

  it('move to the trash with confirmation and can be restored to the app', async () => {
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
    assert.equal(Date.parse(trashed.expires_at ?? '') - now() < 7 * DAY_MS, true);
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

  it('are kept when their app is deleted, and can be adopted by another app', async () => {
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

  it('are kept when their project is deleted, and hidden from project admins', async () => {
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

  it('are not deleted while a deployment is about to mount the volumes', async () => {
    const app = await makeApp(daemon);
    const volume = await add(app, '/data');
    const gate = daemon.engine.controls.pause('createGroup');
    const deploying = deploy(app);
    await gate.reached;
    await daemon.call('PATCH', '/api/settings', { volumes: { trash_days: 0 } });
    await remove(app, volume);
    await daemon.call('PATCH', '/api/settings', { volumes: null });
    pass(1);

    await trashTask(daemon.core).run(new AbortController().signal);
    const response = await daemon.call('DELETE', `/api/volumes/${volume.id}?confirm=${volume.name}`);

    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === volume.name));
    assert.equal(response.status, 409);
    gate.open();
    assert.equal(JSON.parse((await deploying).text).status, 'succeeded');
  });

  it('are not adopted while a container of another app still uses the volumes', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    await remove(app, volume);
    const next = await makeApp(daemon);

    const early = await daemon.call('POST', at(next), { path: '/x', adopt: volume.name });
    assert.equal(early.status, 409);
    assert.match(early.text, new RegExp(app.reference));
    await deploy(app);
    await until('the old replica is gone', async () => (await read(app)).replicas.length === 1);
    await add(next, '/x', volume.name);

    assert.equal((await daemon.call('POST', at(next), { path: '/y', adopt: 'davit-00000000-v1' })).status, 409);
  });

  it('are not adopted or deleted while a command of another app uses the volumes', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    const path = `/api/apps/${app.reference}/run`;
    const { text } = await daemon.call('POST', `${path}?detach=true`, { command: ['sleep', '600'], timeout_s: 3_600 });
    const { id } = JSON.parse(text);
    await until('the command runs', () => isMounted(volume.name));
    await remove(app, volume);
    await deploy(app);
    await until('the old instance is gone', async () => (await read(app)).replicas.length === 1);
    const next = await makeApp(daemon);

    await refusesAll(next, volume);
    assert.equal((await daemon.call('POST', `${path}s/${id}/cancel`)).status, 200);
    await add(next, '/x', volume.name);
  });

  it('are not adopted or deleted while a command of a stopped app uses the volumes', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    await daemon.call('POST', `/api/apps/${app.reference}/stop`);
    await until('no instance is left', async () => (await read(app)).replicas.length === 0);
    const path = `/api/apps/${app.reference}/run?detach=true`;
    await daemon.call('POST', path, { command: ['sleep', '600'], timeout_s: 3_600 });
    await until('the command runs', () => isMounted(volume.name));
    await remove(app, volume);

    await refusesAll(await makeApp(daemon), volume);
  });

  it('of a deleted app move to the trash first and are then deleted permanently', async () => {
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

  it('in use by a container cannot be deleted permanently but can be restored', async () => {
    const { app } = await deployedApp(daemon);
    const volume = await add(app, '/data');
    await deploy(app);
    await remove(app, volume);

    const { status, text } = await daemon.call('DELETE', `/api/volumes/${volume.id}?confirm=${volume.name}`);

    assert.equal(status, 409);
    assert.match(text, /The running release or a command of/);
    assert.equal((await daemon.call('POST', `/api/volumes/${volume.id}/restore`)).status, 200);
  });

  it('are deleted at the end of their retention, except volumes in use', async () => {
    const { app } = await deployedApp(daemon);
    const [used, unused] = [await add(app, '/used'), await add(app, '/unused')];
    await deploy(app);
    await remove(app, unused);
    await deploy(app);
    await until('the old replica is gone', async () => (await read(app)).replicas.length === 1);
    await remove(app, used);
    await daemon.call('PATCH', '/api/settings', { volumes: { trash_days: 0 } });
    const trash = trashTask(daemon.core);

    await trash.run(new AbortController().signal);
    assert.ok((await find(unused.name)) && (await find(used.name)), 'a changed setting shortens no term');
    pass(8 * DAY_MS);
    await trash.run(new AbortController().signal);

    assert.equal(await find(unused.name), undefined);
    assert.equal((await find(used.name))?.state, 'trash');
    assert.equal((await daemon.call('POST', `/api/volumes/${used.id}/restore`)).status, 409);
    await deploy(app);
    await until('the old replica is gone', async () => (await read(app)).replicas.length === 1);
    await trash.run(new AbortController().signal);
    assert.equal(await find(used.name), undefined);
    await daemon.call('PATCH', '/api/settings', { volumes: null });
  });
});
