/** Actions are recorded in the audit log in the same transaction, and later changes of the log are detected. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { AuditPage } from '@davit/api';
import {
  ADMIN,
  type Answer,
  app,
  bootDaemon,
  cookieOf,
  deployedApp,
  project,
  send,
  type TestDaemon,
  user,
} from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { auditTask } from '../../src/reconcilers/audit.ts';
import { rows, tamper, verify } from '../support/audit.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const DAY_MS = 24 * 60 * 60_000;

const post = (daemon: TestDaemon, path: string, body: object, headers = {}): Promise<Answer> =>
  daemon.send({ method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });

describe('audit log row', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const newest = async (query = '') => (await rows(daemon, `limit=1&${query}`))[0] ?? assert.fail('there is no row');

  it('records the actor, key, client, address, operation, target and outcome', async () => {
    const made = await daemon.call('POST', '/api/projects', { slug: 'shop' });
    const { hash, id, at, ...row } = await newest();
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.ok(id > 0 && Date.parse(at) > 0);
    assert.deepEqual(row, {
      actor: 'admin',
      key: { id: 1, name: 'test' },
      via: 'api',
      ip: '127.0.0.1',
      operation: 'createProject',
      target: 'shop',
      outcome: 'ok',
      status: 201,
      times: 1,
      request_id: made.headers.get('x-request-id'),
    });
  });

  it('exists for every change of an app with its reference as target', async () => {
    const { app: web, deployment } = await deployedApp(daemon);
    await daemon.call('PATCH', `/api/apps/${web.reference}/env`, { set: { A: '1' } });
    await daemon.call('POST', `/api/apps/${web.reference}/deployments/${deployment.id}/cancel`);
    await daemon.call('DELETE', `/api/apps/${web.reference}`);
    const found = await rows(daemon, `target=${web.reference}`);
    assert.deepEqual(found.map(({ operation, target, outcome }) => `${operation} ${target} ${outcome}`).toSorted(), [
      `cancelDeployment ${web.reference}/deployments/${deployment.id} refused`,
      `createApp ${web.reference} ok`,
      `deleteApp ${web.reference} ok`,
      `deployApp ${web.reference} ok`,
      `setAppEnv ${web.reference} ok`,
    ]);
  });

  it('records the actual response status of each kind of request', async () => {
    const { app: web } = await deployedApp(daemon);
    const path = `/api/apps/${web.reference}`;
    const ways: [method: string, path: string, body?: object][] = [
      ['PATCH', path, { labels: { a: 'b' } }],
      ['PATCH', `${path}?deploy=true`, { command: ['serve'] }],
      ['POST', `${path}/deploy`, { tag: 'v2' }],
      ['POST', `${path}/deploy?wait=true`, { tag: 'v3' }],
      ['POST', `${path}/run`, { command: ['true'] }],
      ['POST', `${path}/run?detach=true`, { command: ['true'] }],
    ];
    for (const [method, requestPath, body] of ways) {
      const { status } = await daemon.call(method, requestPath, body);
      await daemon.settled();
      assert.equal((await newest()).status, status, `${method} ${requestPath}`);
    }
  });

  it('distinguishes permanently deleted data from data in the trash', async () => {
    const { app: web } = await deployedApp(daemon);
    const added = await daemon.call('POST', `/api/apps/${web.reference}/volumes`, { path: '/data' });
    const { id, name } = JSON.parse(added.text) as { id: number; name: string };
    await daemon.call('DELETE', `/api/apps/${web.reference}`);
    const statuses = [];
    for (const _ of ['kept', 'trash']) {
      await daemon.call('DELETE', `/api/volumes/${id}?confirm=${name}`);
      statuses.push((await newest()).status);
    }
    assert.deepEqual(statuses, [200, 204]);
  });

  it('records cli or mcp as the client, and api otherwise', async () => {
    for (const [header, via] of [
      ['cli', 'cli'],
      ['mcp', 'mcp'],
      ['local', 'api'],
      ['schedule', 'api'],
    ]) {
      await post(daemon, '/api/projects', {}, { authorization: `Bearer ${daemon.key}`, 'davit-via': header });
      assert.equal((await newest()).via, via);
    }
  });

  it('records the root user of the server as local', async () => {
    const target = { socketPath: join(daemon.dataDir, 'davit.sock') };
    await send(target, { method: 'POST', path: '/api/projects', headers: JSON_TYPE, body: '{"slug":"by-hand"}' });
    const { actor, via, ip, key } = await newest();
    assert.deepEqual({ actor, via, ip, key }, { actor: 'local', via: 'local', ip: 'local', key: null });
  });

  it('exists for setup, login, logout, API keys and password changes', async () => {
    const login = await post(daemon, '/api/auth/login', ADMIN);
    const cookie = cookieOf(login);
    const signedIn = { ...JSON_TYPE, cookie, 'sec-fetch-site': 'same-origin' };
    const sendSignedIn = (method: string, path: string, body?: object) =>
      daemon.send({ method, path, headers: signedIn, ...(body && { body: JSON.stringify(body) }) });
    const change = { current_password: ADMIN.password, new_password: ADMIN.password };
    signedIn.cookie = cookieOf(await sendSignedIn('PUT', '/api/users/me/password', change));
    const { id } = JSON.parse((await sendSignedIn('POST', '/api/users/me/api-keys', { name: 'ci' })).text);
    await sendSignedIn('POST', `/api/users/me/api-keys/${id}/rotate`, {});
    await sendSignedIn('DELETE', `/api/users/me/api-keys/${id}`, {});
    await sendSignedIn('POST', '/api/auth/logout', {});
    const found = await rows(daemon, 'via=dashboard&user=admin');
    assert.deepEqual(found.map(({ operation, target, outcome }) => `${operation} ${target} ${outcome}`).toReversed(), [
      'POST /api/setup admin ok',
      'POST /api/users/me/api-keys  ok',
      'POST /api/auth/login admin ok',
      'PUT /api/users/me/password  ok',
      'POST /api/users/me/api-keys  ok',
      `POST /api/users/me/api-keys/{key}/rotate ${id} ok`,
      `DELETE /api/users/me/api-keys/{key} ${id} ok`,
      'POST /api/auth/logout  ok',
    ]);
  });

  it('of a failed login names only an existing account', async () => {
    await post(daemon, '/api/auth/login', { ...ADMIN, password: 'wrong' });
    const known = await newest('operation=POST%20/api/auth/login');
    assert.deepEqual([known.actor, known.target, known.outcome, known.status], [null, 'admin', 'refused', 401]);
    await post(daemon, '/api/auth/login', { username: 'my secret password', password: 'x' });
    assert.equal((await newest('operation=POST%20/api/auth/login')).target, '');
  });

  it('exists for a read only if the read is refused', async () => {
    const viewer = user(daemon, 'viewer');
    await daemon.call('GET', '/api/apps', undefined, viewer.key);
    await daemon.call('GET', '/api/users', undefined, viewer.key);
    await daemon.call('GET', '/api/nowhere', undefined, viewer.key);
    assert.deepEqual(
      (await rows(daemon, `user=${viewer.username}`)).map(({ operation, status }) => [operation, status]),
      [['listUsers', 403]],
    );
  });

  it('exists for a refused key or session, but not for missing credentials', async () => {
    const from = (await newest()).id;
    const refused = async (headers: Record<string, string>) => {
      assert.equal((await daemon.send({ path: '/api/users/me', headers })).status, 401);
    };
    await refused({});
    await refused({ cookie: 'theme=dark' });
    await refused({ authorization: `Bearer davit_${'0'.repeat(64)}` });
    await refused({ cookie: 'davit_session=ended' });
    await refused({});
    const later = (await rows(daemon)).filter(({ id }) => id > from);
    assert.deepEqual(
      later.map(({ operation, via, status, times }) => `${operation} ${via} ${status} ${times}`),
      ['getMe api 401 1', 'getMe api 401 1'],
    );
  });

  it('exists for a plan only if the plan is refused', async () => {
    const { app: web } = await deployedApp(daemon);
    const viewer = user(daemon, 'viewer');
    const plans = async (key?: string) => {
      const path = `/api/apps/${web.reference}`;
      const deploy = await daemon.call('POST', `${path}/deploy?dry_run=true`, { tag: '2.0.0' }, key);
      const change = await daemon.call('PATCH', `${path}/env?dry_run=true`, { set: { A: '1' } }, key);
      return [deploy.status, change.status];
    };
    const from = (await newest()).id;

    assert.deepEqual(await plans(), [200, 200]);
    assert.deepEqual(await plans(viewer.key), [403, 403]);

    const later = (await rows(daemon, `target=${web.reference}`)).filter(({ id }) => id > from);
    assert.deepEqual(later.map(({ operation, status }) => `${operation} ${status}`).toSorted(), [
      'deployApp 403',
      'setAppEnv 403',
    ]);
  });

  it('is not repeated for a request with the same idempotency key', async () => {
    const headers = { authorization: `Bearer ${daemon.key}`, 'idempotency-key': 'one' };
    await post(daemon, '/api/projects', { slug: 'once' }, headers);
    await post(daemon, '/api/projects', { slug: 'once' }, headers);
    assert.equal((await rows(daemon, 'target=once')).length, 1);
  });

  it('contains no secrets from requests of any kind', async () => {
    const canary = 'canary-8d1f7c';
    const { reference } = await app(daemon);
    await daemon.call('PUT', `/api/apps/${reference}/env`, { vars: { TOKEN: canary }, secret: ['TOKEN'] });
    await daemon.call('POST', '/api/users', { username: 'ada', role: 'viewer', password: `${canary}-password` });
    await daemon.call('PATCH', '/api/users/ada', { password: `${canary}-other-password` });
    await post(daemon, '/api/auth/login', { username: 'ada', password: `${canary}-wrong` });
    await post(daemon, '/api/auth/login', { username: canary, password: canary });
    await daemon.call('DELETE', `/api/projects/davit_${'ab'.repeat(32)}`);
    await daemon.call('POST', `/api/nowhere/${canary}?${canary}=${canary}`, { [canary]: canary });
    await daemon.send({ path: `/api/projects/${canary}`, headers: { authorization: `Bearer ${canary}` } });
    await rows(daemon);
    const kept = JSON.stringify(daemon.core.store.all(unchecked('SELECT * FROM audit')));
    assert.doesNotMatch(kept, /canary|davit_ab/);
    assert.doesNotMatch(kept, new RegExp(`${daemon.key}|${ADMIN.password}`));
    assert.doesNotMatch(daemon.log.lines.join(''), /canary-8d1f7c-/);
  });
});

describe('change and its audit row', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('are stored together or not at all', async () => {
    tamper(daemon, "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    const before = daemon.core.store.all(unchecked('SELECT * FROM events'));
    const refused = await daemon.call('POST', '/api/projects', { slug: 'shop' });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /audit log cannot be written, so nothing was changed/);
    assert.equal((await daemon.call('GET', '/api/projects/shop')).status, 404);
    assert.deepEqual(daemon.core.store.all(unchecked('SELECT * FROM events')), before);

    tamper(daemon, 'DROP TRIGGER full');
    assert.equal((await daemon.call('POST', '/api/projects', { slug: 'shop' })).status, 201);
    assert.equal((await rows(daemon, 'target=shop&outcome=ok')).length, 1);
    assert.equal((await verify(daemon)).ok, true);
  });

  it('do not block reads while the audit log cannot be written', async () => {
    tamper(daemon, "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    assert.equal((await daemon.call('GET', '/api/projects')).status, 200);
    assert.equal((await daemon.send({ path: '/api/projects' })).status, 401);
    assert.equal((await daemon.call('GET', '/api/audit')).status, 200);
    tamper(daemon, 'DROP TRIGGER full');
  });

  it('are rolled back after an error, with a new row for the failure', async () => {
    tamper(daemon, "CREATE TRIGGER bad BEFORE INSERT ON projects BEGIN SELECT RAISE(ABORT, 'broken'); END");
    assert.equal((await daemon.call('POST', '/api/projects', { slug: 'broken' })).status, 500);
    tamper(daemon, 'DROP TRIGGER bad');
    const [row] = await rows(daemon, 'limit=1');
    assert.deepEqual([row?.operation, row?.outcome, row?.status], ['createProject', 'failed', 500]);
  });

  it('have one row even if a deployment continues after the response', async () => {
    const { app: web } = await deployedApp(daemon);
    await daemon.settled();
    const found = await rows(daemon, `target=${web.reference}&operation=deployApp`);
    assert.deepEqual(
      found.map(({ outcome }) => outcome),
      ['ok'],
    );
  });
});

describe('the audit log', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  for (let i = 0; i < 30; i++) await project(daemon, `project-${i}`);

  it('is returned in pages, newest first, without duplicates', async () => {
    const seen: number[] = [];
    let next: number | null = null;
    do {
      const { text } = await daemon.call('GET', `/api/audit?limit=7${next === null ? '' : `&before=${next}`}`);
      const page = JSON.parse(text) as AuditPage;
      seen.push(...page.events.map(({ id }) => id));
      next = page.next;
    } while (next !== null);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.at(-1), 1);
  });

  it('can be filtered by row fields and refuses invalid filters', async () => {
    const at = (await rows(daemon, 'target=project-3'))[0]?.at ?? '';
    assert.equal((await rows(daemon, `from=${at}&to=${at}&operation=createProject`)).length > 0, true);
    assert.equal((await rows(daemon, 'from=2200-01-01T00:00:00Z')).length, 0);
    assert.equal((await rows(daemon, 'outcome=failed')).length, 0);
    assert.equal((await rows(daemon, 'user=admin&via=dashboard')).length, 2);
    assert.equal((await rows(daemon, 'target=project')).length, 0);
    for (const query of [
      'limit=0',
      'limit=501',
      'before=x',
      'via=telnet',
      'from=yesterday',
      'user=',
      'limit=1&limit=2',
    ]) {
      assert.equal((await daemon.call('GET', `/api/audit?${query}`)).status, 400, query);
    }
  });

  it('shows an admin of some projects only rows of visible projects and users', async () => {
    const limited = user(daemon, 'admin', ['project-1']);
    const seen = user(daemon, 'member', ['project-1']);
    const hidden = [user(daemon, 'member', ['project-1', 'project-2']), user(daemon, 'viewer', null)];
    for (const { key } of [limited, seen, ...hidden])
      await daemon.call('POST', '/api/users/me/api-keys', { name: 'mine', role: 'viewer' }, key);
    await daemon.call('DELETE', '/api/projects/project-1/environments/none', undefined, limited.key);
    await daemon.call('DELETE', '/api/projects/project-2/environments/none');
    const shown = await rows(daemon, 'limit=500', limited.key);
    const targets = new Set(shown.map(({ target }) => target.split('/')[0]));
    assert.ok(targets.has('project-1') && !targets.has('project-2'));
    const actors = new Set(shown.filter(({ operation }) => /key/i.test(operation)).map(({ actor }) => actor));
    assert.deepEqual(actors, new Set([limited.username, seen.username]));
    assert.doesNotMatch(JSON.stringify(shown), new RegExp(hidden.map(({ username }) => username).join('|')));
  });

  it('hides rows of an earlier user and rows before a user was limited', async () => {
    const limited = user(daemon, 'admin', ['project-1']);
    const [earlier, narrowed] = [user(daemon, 'admin'), user(daemon, 'admin')];
    const keyNames = ['of-earlier', 'of-before', 'of-after'];
    const addKey = ({ key }: { key: string }, name?: string) =>
      daemon.call('POST', '/api/users/me/api-keys', { name, role: 'viewer' }, key);
    await addKey(earlier, keyNames[0]);
    await addKey(narrowed, keyNames[1]);
    assert.equal((await daemon.call('DELETE', `/api/users/${earlier.username}`)).status, 204);
    const again = { username: earlier.username, role: 'viewer', projects: ['project-1'] };
    assert.equal((await daemon.call('POST', '/api/users', again, limited.key)).status, 201);
    const narrower = { projects: ['project-1'] };
    assert.equal((await daemon.call('PATCH', `/api/users/${narrowed.username}`, narrower)).status, 200);
    await addKey(narrowed, keyNames[2]);

    const made = (await rows(daemon, 'limit=500', limited.key)).filter(({ operation }) => /key/i.test(operation));
    const counts = [earlier, narrowed].map(({ username }) => made.filter(({ actor }) => actor === username).length);

    assert.deepEqual(counts, [0, 1]);
  });

  it('counts repeated refusals instead of adding a row for each', async () => {
    const before = (await rows(daemon, 'limit=500')).length;
    for (let i = 0; i < 200; i++) await daemon.send({ path: '/api/apps', headers: { authorization: 'Bearer x' } });
    const grown = (await rows(daemon, 'limit=500')).length - before;
    assert.ok(grown > 0 && grown <= 60, `${grown} rows`);
  });

  it('deletes rows that are older than the retention and stays valid', async () => {
    let now = Date.now();
    await using old = await bootDaemon({ now: () => now });
    for (let i = 0; i < 5; i++) await project(old, `old-${i}`);
    now += 401 * DAY_MS;
    await project(old, 'young');
    await auditTask(old.core).run(new AbortController().signal);
    const kept = await rows(old);
    assert.deepEqual(
      kept.map(({ target }) => target),
      ['young'],
    );
    const { ok, checked } = await verify(old);
    assert.deepEqual({ ok, checked }, { ok: true, checked: 1 });
    now += 401 * DAY_MS;
    await auditTask(old.core).run(new AbortController().signal);
    assert.equal((await verify(old)).ok, true);
  });

  it('continues with a valid chain after a restart', async () => {
    await daemon.restart();
    await project(daemon, 'after-restart');
    assert.equal((await rows(daemon, 'limit=1'))[0]?.target, 'after-restart');
    assert.equal((await verify(daemon)).ok, true);
  });
});
