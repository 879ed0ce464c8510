/** Templates of a real catalog with real repositories, installed on a whole daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lookForNewer } from '../../src/resources/templates/install/newer.ts';
import { InstallHarness } from '../support/install-harness.ts';

describe('a template of the catalog', () => {
  let harness: InstallHarness;
  before(async () => {
    harness = await InstallHarness.begin();
  });
  after(() => harness[Symbol.asyncDispose]());

  it('is listed with an icon that the instance serves', async () => {
    const { body } = await harness.get('/api/templates?q=notes');
    assert.deepEqual(
      body.templates.map(({ owner, name }: Record<string, string>) => `${owner}/${name}`),
      ['acme/notes-template'],
    );
    const [template] = body.templates;
    assert.match(template.icon_url, /^\/api\/template-icons\/-?\d+\/[0-9a-f]{40}\.png$/);
    assert.equal('avatar_url' in template, false);
    const icon = await harness.daemon.call('GET', template.icon_url);
    assert.equal(icon.status, 200);
    assert.equal(icon.headers.get('content-type'), 'image/png');
    assert.match(icon.headers.get('cache-control') ?? '', /^private, max-age=/);
  });

  it('has a verified manifest with the commit of its release', async () => {
    const { body: releases } = await harness.get('/api/templates/acme/notes-template/releases');
    const { body } = await harness.get('/api/templates/acme/notes-template/manifest?release=v1.0.0');
    assert.equal(body.fits, true);
    assert.equal(body.commit, releases.releases.find(({ tag }: { tag: string }) => tag === 'v1.0.0').commit);
    assert.match(body.sha256, /^[0-9a-f]{64}$/);
  });

  it('is planned without changes, and the plan lists all problems', async () => {
    const request = { inputs: { domain: 'no host', size: '99', colour: 'red' }, names: { apps: { web: 'cron' } } };
    const { status, body } = await harness.post('/api/templates/acme/notes-template/installs?dry_run=true', request);
    assert.equal(status, 200);
    assert.deepEqual(
      body.problems.map(({ field }: { field: string }) => field),
      ['inputs.colour', 'inputs.domain', 'inputs.size', 'names.apps.cron'],
    );
    assert.deepEqual(body.generated, ['secret']);
    assert.equal((await harness.get('/api/template-installs')).body.length, 0);
    assert.equal((await harness.get('/api/projects/notes')).status, 404);
  });

  it('is installed with its apps, domains, volumes and inputs', async () => {
    const { status, body: task } = await harness.post('/api/templates/acme/notes-template/installs?wait=true', {
      release: 'v1.0.0',
      inputs: { domain: 'notes.example.com', size: '1000000' },
    });
    assert.equal(status, 200);
    assert.equal(task.status, 'succeeded', task.error);
    assert.equal(task.kind, 'install.install');
    const { body: app } = await harness.get('/api/apps/notes/production/web');
    assert.equal(app.status, 'running');
    assert.equal(app.image, 'registry.test/acme/notes');
    assert.deepEqual(app.limits, { cpu: 0.5, memory_bytes: 268435456, pids: 512 });
    assert.deepEqual(
      app.domains.map(({ host }: { host: string }) => host),
      ['notes.example.com'],
    );
    assert.deepEqual(
      app.volumes.map(({ path }: { path: string }) => path),
      ['/data'],
    );
    const { body: env } = await harness.get('/api/apps/notes/production/web/env');
    assert.equal(env.vars.SIZE, '1000000');
    assert.equal(env.vars.BASE_URL, 'https://notes.example.com');
    assert.equal(env.vars.WORKER, 'worker.production.notes.internal');
    assert.match(env.vars.SECRET, /^[0-9a-f]{64}$/);
    assert.deepEqual(env.secret, ['SECRET']);
  });

  it('has a record with its origin, and secrets only at a separate endpoint', async () => {
    const { body: installs } = await harness.get('/api/template-installs');
    const [install] = installs;
    assert.equal(install.status, 'installed');
    assert.equal(install.origin.owner, 'acme');
    assert.equal(install.origin.release, 'v1.0.0');
    assert.match(install.origin.commit, /^[0-9a-f]{40}$/);
    assert.deepEqual(install.inputs, { domain: 'notes.example.com', size: '1000000', mode: 'plain' });
    assert.deepEqual(
      install.resources.map(({ kind, name, state }: Record<string, string>) => `${kind} ${name} ${state}`),
      ['project notes made', 'environment production made', 'app web made', 'app worker made'],
    );
    const { body } = await harness.get(`/api/template-installs/${install.id}/secrets`);
    assert.match(body.secrets.secret, /^[0-9a-f]{64}$/);
    assert.doesNotMatch(JSON.stringify(installs), new RegExp(body.secrets.secret));
  });

  it('shows an available newer release after a check', async () => {
    await lookForNewer(harness.daemon.core, new AbortController().signal);
    assert.equal((await harness.get('/api/template-installs/1')).body.update_available, 'v2.0.0');
  });

  it('is not updated from another repository with the same name', async () => {
    const { store } = harness.daemon.core;
    const setRepository = (id: string) =>
      store.tx((tx) => tx.run("UPDATE template_installs SET origin = json_set(origin, '$.repository_id', ?)", id));
    const { repository_id } = (await harness.get('/api/template-installs/1')).body.origin;
    setRepository('4711');
    await lookForNewer(harness.daemon.core, new AbortController().signal);
    assert.equal((await harness.get('/api/template-installs/1')).body.update_available, null);
    const preview = await harness.get('/api/template-installs/1/update');
    const update = await harness.post('/api/template-installs/1/update?wait=true', {});
    for (const { status, text } of [preview, update]) {
      assert.equal(status, 409, text);
      assert.match(text, /a different repository/);
    }
    assert.equal((await harness.get('/api/apps/notes/production/web')).body.live_tag, '1.0');
    setRepository(repository_id);
    await lookForNewer(harness.daemon.core, new AbortController().signal);
    assert.equal((await harness.get('/api/template-installs/1')).body.update_available, 'v2.0.0');
  });

  it('is not installed a second time under the same names', async () => {
    const { status, text } = await harness.post('/api/templates/acme/notes-template/installs', {
      inputs: { domain: 'other.example.com' },
    });
    assert.equal(status, 409, text);
    assert.match(text, /names\.apps\.web: notes\/production already has the app web/);
  });

  it('is updated to the next release according to the preview', async () => {
    const { body: preview } = await harness.get('/api/template-installs/1/update');
    assert.equal(preview.to, 'v2.0.0');
    assert.deepEqual(
      preview.changes.map(({ action, name }: Record<string, string>) => `${action} ${name}`),
      ['create cron', 'change web', 'remove worker'],
    );
    const unconfirmed = await harness.post('/api/template-installs/1/update?wait=true', {});
    assert.equal(unconfirmed.status, 409, unconfirmed.text);
    assert.match(unconfirmed.text, /would remove worker without a confirmation/);
    const { body: task } = await harness.post('/api/template-installs/1/update?wait=true', { remove: ['worker'] });
    assert.equal(task.status, 'succeeded', task.error);
    const { body: app } = await harness.get('/api/apps/notes/production/web');
    assert.equal(app.live_tag, '2.0');
    const { body: env } = await harness.get('/api/apps/notes/production/web/env');
    assert.equal(env.vars.SIZE, '1000000');
    assert.equal('WORKER' in env.vars, false);
    assert.match(env.vars.SECRET, /^[0-9a-f]{64}$/);
    assert.equal((await harness.get('/api/apps/notes/production/worker')).status, 404);
    assert.equal((await harness.get('/api/apps/notes/production/cron')).body.status, 'running');
  });

  it('returns to the previous release by a rollback', async () => {
    const { body: task } = await harness.post('/api/template-installs/1/rollback?wait=true', {});
    assert.equal(task.status, 'succeeded', task.error);
    assert.equal((await harness.get('/api/apps/notes/production/web')).body.live_tag, '1.0');
    assert.equal((await harness.get('/api/apps/notes/production/worker')).body.status, 'running');
    assert.equal((await harness.get('/api/apps/notes/production/cron')).status, 404);
    assert.equal((await harness.get('/api/template-installs/1')).body.origin.release, 'v1.0.0');
  });

  it('is uninstalled, and a later installation adopts the kept volume', async () => {
    const { body: before } = await harness.get('/api/apps/notes/production/web');
    const { body: task } = await harness.post('/api/template-installs/1/uninstall?wait=true', {});
    assert.equal(task.status, 'succeeded', task.error);
    assert.equal((await harness.get('/api/projects/notes')).status, 404);
    assert.equal((await harness.get('/api/template-installs/1')).body.status, 'uninstalled');
    const { body: volumes } = await harness.get('/api/volumes');
    assert.deepEqual(
      volumes.map(({ name, state }: Record<string, string>) => `${name} ${state}`),
      [`${before.volumes[0].name} kept`],
    );
    const { body: again } = await harness.post('/api/templates/acme/notes-template/installs?wait=true', {
      inputs: { domain: 'notes.example.com' },
      adopt: { volumes: true },
    });
    assert.equal(again.status, 'succeeded', again.error);
    const { body: app } = await harness.get('/api/apps/notes/production/web');
    assert.equal(app.volumes[0].name, before.volumes[0].name);
  });
});
