/** Who may install, see and change templates, what is refused, and what becomes of an installation that fails. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { user } from '@davit/testkit';
import { EngineRefused } from '../src/engine/errors.ts';
import { InstallWorld } from './support/install-world.ts';

const PATH = '/api/templates/acme/notes-template';
const INPUTS = { domain: 'notes.example.com' };

describe('installations', () => {
  let world: InstallWorld;
  before(async () => {
    world = await InstallWorld.begin();
    await world.post('/api/projects', { slug: 'other' });
    const { body } = await world.post(`${PATH}/installs?wait=true`, { inputs: INPUTS });
    assert.equal(body.status, 'succeeded', body.error);
  });
  after(() => world[Symbol.asyncDispose]());

  const as = (role: 'viewer' | 'member' | 'admin', projects: string[] | null = null) =>
    user(world.daemon, role, projects).key;
  const ask = (key: string, method: string, path: string, body?: unknown) => world.daemon.call(method, path, body, key);

  it('are made by admins alone', async () => {
    for (const role of ['viewer', 'member'] as const) {
      const { status } = await ask(as(role), 'POST', `${PATH}/installs`, { inputs: INPUTS });
      assert.equal(status, 403);
    }
  });

  it('in a new project are for who sees every project', async () => {
    const key = as('admin', ['other']);
    const refused = await ask(key, 'POST', `${PATH}/installs`, { project: 'fresh', inputs: INPUTS });
    assert.equal(refused.status, 403);
    const planned = await ask(key, 'POST', `${PATH}/installs?dry_run=true`, {
      project: 'other',
      inputs: { domain: 'other.example.com' },
    });
    assert.deepEqual([planned.status, JSON.parse(planned.text).problems], [200, []]);
  });

  it('in a project that one does not see are like in one that is not there', async () => {
    const { status, text } = await ask(as('admin', ['other']), 'POST', `${PATH}/installs`, {
      project: 'notes',
      inputs: INPUTS,
    });
    assert.deepEqual([status, /no such project, or you do not see it/.test(text)], [404, true]);
  });

  it('are seen by who sees their project', async () => {
    const key = as('viewer', ['other']);
    assert.deepEqual(JSON.parse((await ask(key, 'GET', '/api/template-installs')).text), []);
    assert.equal((await ask(key, 'GET', '/api/template-installs/1')).status, 404);
    assert.equal((await ask(as('viewer', ['notes']), 'GET', '/api/template-installs/1')).status, 200);
  });

  it('tell a host that somebody else has to who sees it, and to nobody else', async () => {
    const asked = { project: 'other', inputs: INPUTS };
    const { text } = await ask(as('admin', ['other']), 'POST', `${PATH}/installs`, asked);
    assert.match(text, /notes\.example\.com is taken/);
    assert.doesNotMatch(text, /notes\/production/);
    const admin = await world.post(`${PATH}/installs`, asked);
    assert.deepEqual([admin.status, /belongs to notes\/production\/web/.test(admin.text)], [409, true]);
  });

  it('tell their secrets to who may read secrets', async () => {
    assert.equal((await ask(as('viewer'), 'GET', '/api/template-installs/1/secrets')).status, 403);
    const { status, text } = await ask(as('member'), 'GET', '/api/template-installs/1/secrets');
    assert.equal(status, 200);
    const { secret } = JSON.parse(text).secrets;
    assert.doesNotMatch(world.daemon.log.lines.join('\n'), new RegExp(secret));
    for (const path of ['/api/template-installs', '/api/tasks', '/api/audit'])
      assert.doesNotMatch((await world.get(path)).text, new RegExp(secret), path);
  });

  it('are not uninstalled with their data by a slip', async () => {
    const { status, text } = await world.post('/api/template-installs/1/uninstall', {
      keep_data: false,
      confirm: 'notes',
    });
    assert.deepEqual([status, /must be «notes\/production»/.test(text)], [400, true]);
  });

  it('refuse what they are not in the state for', async () => {
    const refusals = [
      ['/api/template-installs/1/retry', {}, /It is installed/],
      ['/api/template-installs/1/rollback', {}, /no earlier release/],
      ['/api/template-installs/1/update', {}, /is what is installed already/],
    ] as const;
    for (const [path, body, reason] of refusals) {
      const { status, text } = await world.post(path, body);
      assert.equal(status, 409, path);
      assert.match(text, reason);
    }
  });

  it('have this machine look into no network of its own, whichever way they are asked for', async () => {
    const source = { repository: `${world.daemon.url}/template.yaml`, ref: 'HEAD' };
    for (const query of ['', '?dry_run=true']) {
      const { status, text } = await world.post(`/api/template-installs${query}`, { source });
      assert.deepEqual([status, /is not on the public internet/.test(text)], [400, true], text);
    }
  });

  it('that fail are kept to be looked at, where that is asked for, and taken up again', async () => {
    world.daemon.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    const asked = { project: 'kept', inputs: { domain: 'kept.example.com' }, keep_failed: true };
    const { body: task } = await world.post(`${PATH}/installs?wait=true`, asked);
    assert.equal(task.status, 'failed');
    const id = task.subject.name;
    const { body: failed } = await world.get(`/api/template-installs/${id}`);
    assert.equal(failed.status, 'failed');
    assert.match(failed.error, /could not be deployed/);
    assert.equal((await world.get('/api/apps/kept/production/web')).status, 200);
    const { body: again } = await world.post(`/api/template-installs/${id}/retry?wait=true`, undefined);
    assert.equal(again.status, 'succeeded', again.error);
    assert.equal((await world.get(`/api/template-installs/${id}`)).body.status, 'installed');
  });

  it('that fail leave nothing otherwise, and can be begun anew', async () => {
    world.daemon.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    const asked = { project: 'gone', inputs: { domain: 'gone.example.com' } };
    const { body: task } = await world.post(`${PATH}/installs?wait=true`, asked);
    assert.equal(task.status, 'failed');
    assert.equal((await world.get('/api/projects/gone')).status, 404);
    const { body: again } = await world.post(`/api/template-installs/${task.subject.name}/retry?wait=true`, undefined);
    assert.equal(again.status, 'succeeded', again.error);
  });

  it('go on when the catalog is away', async () => {
    await world.catalog.stop();
    const { status, text } = await world.get('/api/templates');
    assert.equal(status, 502);
    assert.match(text, /^The catalog does not answer/);
    assert.equal((await world.get('/api/template-installs/1')).status, 200);
    const { body: task } = await world.post('/api/template-installs/1/uninstall?wait=true', {});
    assert.equal(task.status, 'succeeded');
  });
});
