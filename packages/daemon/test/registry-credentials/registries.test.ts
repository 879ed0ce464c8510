/**
 * Tests credentials of external registries with the simulated engine. The simulated registries refuse the password
 * `wrong`.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Registry } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, project as makeProject, type TestDaemon, user } from '@davit/testkit';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { insertProject, projectBySlug } from '../../src/db/tables/project.ts';
import { registryAuthFor } from '../../src/image-references/credentials.ts';

const PASSWORD = 'canary-5f0c1d';
const ACCOUNT = { username: 'ada', password: PASSWORD };

describe('registry credentials', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  afterEach(async () => {
    daemon.engine.controls.setAvailable(true);
    for (const { id } of await list()) await daemon.call('DELETE', `/api/registries/${id}`);
  });
  after(() => daemon[Symbol.asyncDispose]());

  const list = async () => JSON.parse((await daemon.call('GET', '/api/registries')).text) as Registry[];
  const post = (body: object, query = '') => daemon.call('POST', `/api/registries${query}`, body);
  const add = async (host: string, fields: object = {}): Promise<Registry> => {
    const { status, text } = await post({ host, ...ACCOUNT, ...fields });
    assert.equal(status, 201, text);
    return JSON.parse(text) as Registry;
  };
  const authFor = (image: string, project: number | null = null) =>
    registryAuthFor(daemon.core, image, { appId: null, projectId: project });

  const projectId = (slug: string): number =>
    projectBySlug(daemon.core.store, slug)?.id ??
    daemon.core.store.tx((tx) => insertProject(tx, slug, daemon.core.now()));

  it('are stored after a successful check, and responses omit the password', async () => {
    const registry = await add('ghcr.io');

    assert.deepEqual(Object.keys(registry).sort(), [
      'checked_at',
      'created_at',
      'host',
      'id',
      'projects',
      'updated_at',
      'username',
    ]);
    assert.equal(typeof registry.checked_at, 'string');
    const { text } = await daemon.call('GET', `/api/registries/${registry.id}`);
    assert.deepEqual(JSON.parse(text), registry);
    assert.deepEqual(await list(), [registry]);
  });

  it('apply to every image of their host and to no other host', async () => {
    await add('Registry.Example.com:5000');
    await add('https://index.docker.io/v1/', { username: 'hub' });
    await add('r.example', { username: 'r' });

    assert.deepEqual(authFor('registry.example.com:5000/acme/web:v1'), ACCOUNT);
    for (const image of [
      'acme/web:v1',
      'nginx',
      'nginx:1.25',
      'docker.io/acme/web',
      `index.docker.io/acme/web@sha256:${'0'.repeat(64)}`,
    ]) {
      assert.equal(authFor(image)?.username, 'hub', image);
    }
    for (const image of ['r.example/web:1', 'r.example:443/web']) assert.equal(authFor(image)?.username, 'r', image);
    for (const image of ['registry.example.com/acme/web', 'localhost:5001/web', 'ghcr.io/acme/web', 'localhost/web']) {
      assert.equal(authFor(image), null, image);
    }
  });

  it('let a deployment pull an image from a private registry', async () => {
    daemon.engine.controls.lockRegistry('private.example', ACCOUNT);
    const app = await makeApp(daemon, { image: 'private.example/acme/web' });
    const deploy = async () =>
      JSON.parse((await daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v1' })).text);

    const refused = await deploy();
    await add('private.example');
    const accepted = await deploy();

    assert.equal(refused.error_code, 'registry_unauthorized');
    assert.equal(refused.error.includes('authentication required'), false, 'the words of the registry');
    assert.equal(accepted.status, 'succeeded');
  });

  it('are refused for an existing host in a different spelling', async () => {
    await add('docker.io');

    for (const host of [
      'DOCKER.IO',
      'index.docker.io',
      'https://index.docker.io/v1/',
      'registry-1.docker.io',
      'docker.io:443',
    ]) {
      const { status, text } = await post({ host, ...ACCOUNT });
      assert.equal(status, 409, text);
      assert.match(text, /docker\.io already/);
    }
  });

  it('are unique per host and project, and project credentials take precedence', async () => {
    const shop = projectId('shop');
    const other = projectId('blog');
    await add('ghcr.io', { username: 'all' });
    const narrow = await add('ghcr.io', { username: 'shop', projects: ['shop'] });

    assert.deepEqual(narrow.projects, ['shop']);
    assert.equal(authFor('ghcr.io/acme/web', shop)?.username, 'shop');
    assert.equal(authFor('ghcr.io/acme/web', shop)?.password, PASSWORD);
    assert.equal(authFor('ghcr.io/acme/web', other)?.username, 'all');
    assert.equal(authFor('ghcr.io/acme/web', null)?.username, 'all');
    for (const projects of [null, ['shop'], ['blog', 'shop']]) {
      const { status, text } = await post({ host: 'ghcr.io', ...ACCOUNT, projects });
      assert.deepEqual([status, /ghcr\.io already/.test(text)], [409, true], text);
    }
    const both = await add('ghcr.io', { username: 'blog', projects: ['blog', 'blog'] });
    assert.deepEqual(both.projects, ['blog']);
    const patch = (body: object) => daemon.call('PATCH', `/api/registries/${both.id}`, body);
    assert.equal((await patch({ projects: ['shop', 'blog'] })).status, 409);
    assert.equal((await patch({ projects: null })).status, 409);
    await daemon.call('DELETE', `/api/registries/${narrow.id}`);
    assert.equal(authFor('ghcr.io/acme/web', shop)?.username, 'all');
    assert.equal((await patch({ projects: ['shop', 'blog'] })).status, 200);
    assert.deepEqual(authFor('ghcr.io/acme/web', shop), { username: 'blog', password: PASSWORD });
    for (const projects of [[], ['nothing'], 'shop', [7]])
      assert.equal((await patch({ projects })).status, 400, JSON.stringify(projects));
  });

  it('of a deleted project are removed, and shared credentials lose only the project', async () => {
    const id = projectId('doomed');
    const one = await add('ghcr.io', { projects: ['doomed'] });
    const two = await add('r.example', { projects: ['doomed', 'shop'] });

    assert.equal((await daemon.call('DELETE', '/api/projects/doomed')).status, 204);

    assert.equal((await daemon.call('GET', `/api/registries/${one.id}`)).status, 404);
    const { text } = await daemon.call('GET', `/api/registries/${two.id}`);
    assert.deepEqual(JSON.parse(text).projects, ['shop']);
    for (const project of [id, projectId('blog'), null]) assert.equal(authFor('ghcr.io/a', project), null);
  });

  it('are not stored for a project that is deleted during the check', async () => {
    for (const slug of ['doomed', 'shop']) projectId(slug);
    const shop = await add('r.example', { projects: ['shop'] });
    const attempts = [
      () => post({ host: 'ghcr.io', ...ACCOUNT, projects: ['doomed'] }),
      () => daemon.call('PATCH', `/api/registries/${shop.id}`, { projects: ['doomed'] }),
    ];
    for (const attempt of attempts) {
      projectId('doomed');
      const gate = daemon.engine.controls.pause('checkRegistry');
      const pending = attempt();
      await gate.reached;
      assert.equal((await daemon.call('DELETE', '/api/projects/doomed')).status, 204);
      projectId('doomed');
      gate.open();

      const { status, text } = await pending;
      assert.equal(status, 400, text);
    }
    assert.deepEqual(await list(), [shop]);
  });

  it('without a project are visible only to admins of all projects', async () => {
    projectId('shop');
    const { key } = user(daemon, 'admin', ['shop']);
    const one = await add('ghcr.io', { projects: ['shop'] });
    daemon.core.store.tx((tx) => tx.run('DELETE FROM registry_projects WHERE registry_id = ?', one.id));

    const send = (method: string, path: string) => daemon.call(method, path, { projects: ['shop'] }, key);

    assert.equal((await daemon.call('GET', '/api/registries', undefined, key)).text, '[]');
    assert.equal((await send('PATCH', `/api/registries/${one.id}?check=false`)).status, 404);
    assert.equal(authFor('ghcr.io/acme/web', projectId('shop')), null);
    assert.deepEqual((await list())[0]?.projects, []);
  });

  it('of other projects are inaccessible to an admin of some projects', async () => {
    for (const slug of ['shop', 'blog']) projectId(slug);
    const { key } = user(daemon, 'admin', ['shop']);
    const all = await add('ghcr.io');
    const blog = await add('ghcr.io', { projects: ['blog'] });
    const both = await add('r.example', { projects: ['blog', 'shop'] });
    const send = (method: string, path: string, body?: object) =>
      daemon.call(method, `/api/registries${path}`, body, key);

    for (const { id } of [all, blog, both]) {
      assert.equal((await send('GET', `/${id}`)).status, 404);
      assert.equal((await send('PATCH', `/${id}`, { username: 'mine' })).status, 404);
      assert.equal((await send('DELETE', `/${id}`)).status, 404);
    }
    assert.equal((await send('POST', '', { host: 'ghcr.io', ...ACCOUNT })).status, 403);
    assert.equal((await send('POST', '', { host: 'ghcr.io', ...ACCOUNT, projects: ['blog'] })).status, 400);
    assert.equal((await send('POST', '', { host: 'ghcr.io', ...ACCOUNT, projects: ['shop', 'blog'] })).status, 400);
    const made = await send('POST', '', { host: 'ghcr.io', ...ACCOUNT, projects: ['shop'] });
    assert.equal(made.status, 201, made.text);
    const { id } = JSON.parse(made.text) as Registry;
    assert.equal((await send('PATCH', `/${id}`, { projects: null })).status, 403);
    assert.equal((await send('PATCH', `/${id}`, { projects: ['blog'] })).status, 400);
    assert.deepEqual(
      (JSON.parse((await send('GET', '')).text) as Registry[]).map((row) => row.id),
      [id],
    );
  });

  it('cannot be decrypted in the record of another project', async () => {
    const shop = projectId('shop');
    projectId('blog');
    const [one, two] = [await add('ghcr.io', { projects: ['shop'] }), await add('ghcr.io', { projects: ['blog'] })];
    daemon.core.store.tx((tx) =>
      tx.run(
        'UPDATE registries SET password = (SELECT password FROM registries WHERE id = ?) WHERE id = ?',
        two.id,
        one.id,
      ),
    );
    assert.throws(() => authFor('ghcr.io/acme/web', shop), EngineRefused);
  });

  it('are limited in number for each project', async () => {
    const [full, other] = [await makeProject(daemon), await makeProject(daemon)];
    const add = (n: number, of: string) => post({ host: `r${n}.example`, ...ACCOUNT, projects: [of] }, '?check=false');
    for (let n = 0; n < 25; n += 1) assert.equal((await add(n, full)).status, 201);

    const { status, text } = await add(25, full);

    assert.equal(status, 409);
    assert.match(text, /The project has credentials for 25 registries/);
    assert.equal((await add(25, other)).status, 201);
  });

  it('are refused with an invalid host, username or password', async () => {
    const hosts = [
      '',
      ' ',
      'ghcr',
      'a b.c',
      'ghcr.io/acme',
      'ghcr.io:0',
      'ghcr.io:65536',
      'ghcr.io:x',
      'a:1:2',
      '-a.b',
      'a..b',
      '[::1]:5000',
      'https://',
      'user@ghcr.io',
      7,
    ];
    for (const host of hosts) assert.equal((await post({ host, ...ACCOUNT })).status, 400, String(host));
    const fields = [
      { username: '' },
      { username: 'a:b' },
      { username: 'a\nb' },
      { password: '' },
      { password: 'a\r\nb' },
      { password: null },
      { email: 'x' },
    ];
    for (const field of fields)
      assert.equal((await post({ host: 'ghcr.io', ...ACCOUNT, ...field })).status, 400, JSON.stringify(field));
    assert.deepEqual(await list(), []);
  });

  it('are not stored if the registry refuses the credentials', async () => {
    const { status, text } = await post({ host: 'ghcr.io', ...ACCOUNT, password: 'wrong' });

    assert.equal(status, 409);
    assert.match(text, /^The registry ghcr\.io does not accept these credentials\. /);
    assert.deepEqual(await list(), []);
  });

  it('can be stored without a check while the engine is unavailable', async () => {
    daemon.engine.controls.setAvailable(false);

    assert.equal((await post({ host: 'ghcr.io', ...ACCOUNT })).status, 503);
    const { status, text } = await post({ host: 'ghcr.io', ...ACCOUNT }, '?check=false');
    assert.deepEqual([status, JSON.parse(text).checked_at], [201, null]);
  });

  it('can be changed in part, and are checked together with stored values', async () => {
    const { id } = await add('ghcr.io');
    const patch = (body: object, query = '') => daemon.call('PATCH', `/api/registries/${id}${query}`, body);

    assert.equal((await patch({ username: 'bob' })).status, 200);
    assert.deepEqual(authFor('ghcr.io/a'), { username: 'bob', password: PASSWORD });
    assert.equal((await patch({ password: 'wrong' })).status, 409);
    assert.deepEqual(authFor('ghcr.io/a'), { username: 'bob', password: PASSWORD });
    const unchecked = await patch({ password: 'wrong' }, '?check=false');
    assert.deepEqual([unchecked.status, JSON.parse(unchecked.text).checked_at], [200, null]);
    assert.equal((await patch({})).status, 409);
    for (const body of [{ host: 'r.io' }, { password: null }, { username: 3 }]) {
      assert.equal((await patch(body)).status, 400, JSON.stringify(body));
    }
  });

  it('cannot be read or changed by a member', async () => {
    const { id } = await add('ghcr.io');
    const { key } = user(daemon, 'member');

    for (const [method, path, body] of [
      ['GET', '/api/registries', undefined],
      ['POST', '/api/registries', { host: 'r.io', ...ACCOUNT }],
      ['GET', `/api/registries/${id}`, undefined],
      ['PATCH', `/api/registries/${id}`, {}],
      ['DELETE', `/api/registries/${id}`, undefined],
    ] as const) {
      assert.equal((await daemon.call(method, path, body, key)).status, 403, `${method} ${path}`);
    }
  });

  it('are no longer used after deletion, and the API returns 404', async () => {
    const { id } = await add('ghcr.io');

    assert.equal((await daemon.call('DELETE', `/api/registries/${id}`)).status, 204);

    assert.equal(authFor('ghcr.io/acme/web'), null);
    for (const [method, number] of [
      ['GET', id],
      ['DELETE', id],
      ['GET', 'x'],
      ['GET', 0],
    ] as const) {
      assert.equal((await daemon.call(method, `/api/registries/${number}`)).status, 404);
    }
  });

  it('that cannot be decrypted are reported by the API and by a deployment', async () => {
    const { id } = await add('ghcr.io');
    const { text: other } = await post({ host: 'r.example', ...ACCOUNT });
    daemon.core.store.tx((tx) =>
      tx.run(
        'UPDATE registries SET password = (SELECT password FROM registries WHERE id = ?) WHERE id = ?',
        JSON.parse(other).id,
        id,
      ),
    );

    assert.throws(() => authFor('ghcr.io/acme/web'), EngineRefused);
    assert.equal((await daemon.call('PATCH', `/api/registries/${id}`, {})).status, 409);
    const app = await makeApp(daemon, { image: 'ghcr.io/acme/web' });
    const deployed = await daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v1' });
    assert.match(JSON.parse(deployed.text).error, /cannot be decrypted/);
  });

  it('do not leave the password in logs or in the database file', async () => {
    const { id } = await add('ghcr.io');
    await post({ host: 'ghcr.io', ...ACCOUNT });
    await daemon.call('PATCH', `/api/registries/${id}`, { password: PASSWORD });
    await deployedApp(daemon, { image: 'ghcr.io/acme/canary' });

    for (const file of ['davit.db', 'davit.db-wal']) {
      const bytes = await readFile(join(daemon.dataDir, file)).catch(() => Buffer.alloc(0));
      assert.equal(bytes.includes(PASSWORD), false, file);
    }
    assert.equal(daemon.log.lines.join('').includes(PASSWORD), false);
  });
});
