/** Tests the rights to install, see and change templates, and refused and failed installations. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { user } from '@davit/testkit';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { domainsOfHost, insertDomain } from '../../src/db/tables/domain.ts';
import { InstallHarness } from '../support/install-harness.ts';

const PATH = '/api/templates/acme/notes-template';
const INPUTS = { domain: 'notes.example.com' };

describe('installations', () => {
  let harness: InstallHarness;
  before(async () => {
    harness = await InstallHarness.begin();
    await harness.post('/api/projects', { slug: 'other' });
    const { body } = await harness.post(`${PATH}/installs?wait=true`, { inputs: INPUTS });
    assert.equal(body.status, 'succeeded', body.error);
  });
  after(() => harness[Symbol.asyncDispose]());

  const as = (role: 'viewer' | 'member' | 'admin', projects: string[] | null = null) =>
    user(harness.daemon, role, projects).key;
  const send = (key: string, method: string, path: string, body?: unknown) =>
    harness.daemon.call(method, path, body, key);

  it('cannot be created by viewers or members', async () => {
    for (const role of ['viewer', 'member'] as const) {
      const { status } = await send(as(role), 'POST', `${PATH}/installs`, { inputs: INPUTS });
      assert.equal(status, 403);
    }
  });

  it('in a new project require access to all projects', async () => {
    const key = as('admin', ['other']);
    const refused = await send(key, 'POST', `${PATH}/installs`, { project: 'fresh', inputs: INPUTS });
    assert.deepEqual(
      [refused.status, /This project does not exist, or you cannot access it/.test(refused.text)],
      [404, true],
    );
    const planned = await send(key, 'POST', `${PATH}/installs?dry_run=true`, {
      project: 'other',
      inputs: { domain: 'other.example.com' },
    });
    assert.deepEqual([planned.status, JSON.parse(planned.text).problems], [200, []]);
  });

  it('in a hidden project get the same error as in a missing project', async () => {
    const { status, text } = await send(as('admin', ['other']), 'POST', `${PATH}/installs`, {
      project: 'notes',
      inputs: INPUTS,
    });
    assert.deepEqual([status, /This project does not exist, or you cannot access it/.test(text)], [404, true]);
  });

  it('are visible only with access to their project', async () => {
    const key = as('viewer', ['other']);
    assert.deepEqual(JSON.parse((await send(key, 'GET', '/api/template-installs')).text), []);
    assert.equal((await send(key, 'GET', '/api/template-installs/1')).status, 404);
    assert.equal((await send(as('viewer', ['notes']), 'GET', '/api/template-installs/1')).status, 200);
  });

  it('name the owner of a used host only to users with access', async () => {
    const request = { project: 'other', inputs: INPUTS };
    const { text } = await send(as('admin', ['other']), 'POST', `${PATH}/installs`, request);
    assert.match(text, /notes\.example\.com is already in use/);
    assert.doesNotMatch(text, /notes\/production/);
    const admin = await harness.post(`${PATH}/installs`, request);
    assert.deepEqual([admin.status, /belongs to notes\/production\/web/.test(admin.text)], [409, true]);
  });

  it('name Davit as the owner of a port only with access to all projects', async () => {
    const { facts } = harness.daemon.core;
    const ports = [facts.ports.registry, facts.apiAddress.port];
    const file = `version: 1
project: other
minCubeship: ">=0.9.0"
apps:
  - {key: web, image: nginx, tag: "1", port: 80, tcp: [${ports.map((host, n) => `{port: ${n + 1}, host: ${host}}`)}]}
`;
    const problems = async (key: string) => {
      const source = { file };
      const { text } = await send(key, 'POST', '/api/template-installs?dry_run=true', { source, project: 'other' });
      return (JSON.parse(text).problems as { code: string; message: string }[]).map(({ code, message }) => ({
        code,
        message,
      }));
    };

    const taken = ports.map((port) => ({
      code: 'taken',
      message: `web: Port ${port} is in use. Choose another port.`,
    }));
    assert.deepEqual(await problems(as('admin', ['other'])), taken);
    for (const { message } of await problems(as('admin'))) assert.match(message, /Davit itself uses port/);
  });

  it('may use a host if another app of the project has only a path', async () => {
    const app = { project: 'other', name: 'blog', source: 'registry' };
    assert.equal((await harness.post('/api/apps', app)).status, 201);
    const plan = async (host: string, path: string | null) => {
      const domain = { host, ...(path !== null && { path }) };
      assert.equal((await harness.post('/api/apps/other/production/blog/domains', domain)).status, 201);
      const request = { project: 'other', inputs: { domain: host } };
      return (await harness.post(`${PATH}/installs?dry_run=true`, request)).body.problems;
    };

    assert.deepEqual(await plan('shared.other.example', '/blog'), []);
    const [problem, ...others] = await plan('whole.other.example', null);
    assert.match(
      problem?.message ?? '',
      /whole\.other\.example belongs to other\/production\/blog\. Remove the domain from that app first/,
    );
    assert.deepEqual(others, []);
  });

  it('of a project admin cannot use a subdomain of another project’s host', async () => {
    const inputs = { domain: 'sub.notes.example.com' };
    const key = as('admin', ['other']);
    const planned = await send(key, 'POST', `${PATH}/installs?dry_run=true`, { project: 'other', inputs });
    const refused = await send(key, 'POST', `${PATH}/installs`, { project: 'other', inputs });
    assert.deepEqual([planned.status, refused.status], [200, 409]);
    for (const { text } of [planned, refused]) {
      assert.match(text, /a subdomain of a host of another project/);
      assert.doesNotMatch(text, /notes\/production/);
    }
    const { body } = await harness.post(`${PATH}/installs?dry_run=true`, { project: 'other', inputs });
    assert.deepEqual(body.problems, []);
  });

  it('can be created by an admin of only that project', async () => {
    const request = { project: 'other', environment: 'limited', inputs: { domain: 'limited.other.example' } };
    const { text } = await send(as('admin', ['other']), 'POST', `${PATH}/installs?wait=true`, request);
    assert.equal(JSON.parse(text).status, 'succeeded', text);
  });

  it('do not name a hidden app if a host is taken after the plan', async () => {
    const request = { project: 'other', environment: 'late', inputs: { domain: 'late.example.com' } };
    const { store } = harness.daemon.core;
    const [other] = domainsOfHost(store, INPUTS.domain);
    assert.ok(other);
    const stop = store.onEvent(({ kind, data }) => {
      if (kind !== 'app' || data.change !== 'created') return;
      stop();
      store.tx((tx) => void insertDomain(tx, { ...other, host: request.inputs.domain }));
    });
    const { text } = await send(as('admin', ['other']), 'POST', `${PATH}/installs?wait=true`, request);
    const { status, error } = JSON.parse(text);
    assert.deepEqual([status, /is already in use/.test(error)], ['failed', true], text);
    assert.doesNotMatch(text, /notes\/production/);
  });

  it('show their secrets only to a member, and never in lists or logs', async () => {
    assert.equal((await send(as('viewer'), 'GET', '/api/template-installs/1/secrets')).status, 403);
    const { status, text } = await send(as('member'), 'GET', '/api/template-installs/1/secrets');
    assert.equal(status, 200);
    const { secret } = JSON.parse(text).secrets;
    assert.doesNotMatch(harness.daemon.log.lines.join('\n'), new RegExp(secret));
    for (const path of ['/api/template-installs', '/api/tasks', '/api/audit'])
      assert.doesNotMatch((await harness.get(path)).text, new RegExp(secret), path);
  });

  it('are not uninstalled with their data after a wrong confirmation', async () => {
    const { status, text } = await harness.post('/api/template-installs/1/uninstall', {
      keep_data: false,
      confirm: 'notes',
    });
    assert.deepEqual([status, /must be “notes\/production”/.test(text)], [400, true]);
  });

  it('refuse a retry, rollback or update in an unsuitable state', async () => {
    const refusals = [
      ['/api/template-installs/1/retry', {}, /has the status installed/],
      ['/api/template-installs/1/rollback', {}, /no earlier release/],
      ['/api/template-installs/1/update', {}, /is already installed/],
    ] as const;
    for (const [path, body, reason] of refusals) {
      const { status, text } = await harness.post(path, body);
      assert.equal(status, 409, path);
      assert.match(text, reason);
    }
  });

  it('refuse a repository at a private address or on this server', async () => {
    const source = { repository: `${harness.daemon.url}/template.yaml`, ref: 'HEAD' };
    for (const query of ['', '?dry_run=true']) {
      const { status, text } = await harness.post(`/api/template-installs${query}`, { source });
      assert.deepEqual([status, /its address is private or belongs to this server/.test(text)], [400, true], text);
    }
  });

  it('that fail are kept if requested and can be retried', async () => {
    harness.daemon.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    const request = { project: 'kept', inputs: { domain: 'kept.example.com' }, keep_failed: true };
    const { body: task } = await harness.post(`${PATH}/installs?wait=true`, request);
    assert.equal(task.status, 'failed');
    const id = task.subject.name;
    const { body: failed } = await harness.get(`/api/template-installs/${id}`);
    assert.equal(failed.status, 'failed');
    assert.match(failed.error, /could not be deployed/);
    assert.equal((await harness.get('/api/apps/kept/production/web')).status, 200);
    const { body: again } = await harness.post(`/api/template-installs/${id}/retry?wait=true`, undefined);
    assert.equal(again.status, 'succeeded', again.error);
    assert.equal((await harness.get(`/api/template-installs/${id}`)).body.status, 'installed');
  });

  it('that fail are removed by default and can be retried', async () => {
    harness.daemon.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    const request = { project: 'gone', inputs: { domain: 'gone.example.com' } };
    const { body: task } = await harness.post(`${PATH}/installs?wait=true`, request);
    assert.equal(task.status, 'failed');
    assert.equal((await harness.get('/api/projects/gone')).status, 404);
    const { body: again } = await harness.post(
      `/api/template-installs/${task.subject.name}/retry?wait=true`,
      undefined,
    );
    assert.equal(again.status, 'succeeded', again.error);
  });

  it('can be created, updated and uninstalled by an admin of the project', async () => {
    const key = as('admin', ['other']);
    const inputs = { domain: 'limited.example.com' };
    const work = async (path: string, body: unknown) => {
      const { text } = await send(key, 'POST', `${path}?wait=true`, body);
      assert.equal(JSON.parse(text).status, 'succeeded', text);
      return JSON.parse(text).subject.name;
    };
    const id = await work(`${PATH}/installs`, { project: 'other', release: 'v1.0.0', inputs });
    await work(`/api/template-installs/${id}/update`, { release: 'v2.0.0', remove: ['worker'] });
    await work(`/api/template-installs/${id}/uninstall`, { keep_data: false, confirm: 'other/production' });
  });

  it('remain readable and can be uninstalled while the catalog is unavailable', async () => {
    await harness.catalog.stop();
    const { status, text } = await harness.get('/api/templates');
    assert.equal(status, 502);
    assert.match(text, /^The catalog does not respond/);
    assert.equal((await harness.get('/api/template-installs/1')).status, 200);
    const { body: task } = await harness.post('/api/template-installs/1/uninstall?wait=true', {});
    assert.equal(task.status, 'succeeded');
  });
});
