/** What holds of every operation alike: keys, tags, pages, limits, names and versions. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations, openApiDocument } from '@davit/api';
import {
  ADMIN,
  type Answer,
  app,
  bootDaemon,
  deployedApp,
  keyFor,
  project,
  type Sending,
  send,
  sendBytes,
  slug,
  type TestDaemon,
  user,
} from '@davit/testkit';
import { answersTask } from '../src/background/answers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends JSON with headers of its own, with the admin's key unless told otherwise. */
function ask(
  daemon: TestDaemon,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const sending: Sending = { method, path, headers: { authorization: `Bearer ${daemon.key}`, ...headers } };
  if (body === undefined) return daemon.send(sending);
  return daemon.send({ ...sending, headers: { ...sending.headers, ...JSON_TYPE }, body: JSON.stringify(body) });
}

describe('an Idempotency-Key', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  // Asked for each time: a restart opens another.
  const db = () => daemon.core.store;
  const post = (path: string, key: string, body?: unknown, headers = {}) =>
    ask(daemon, 'POST', path, { 'idempotency-key': key, ...headers }, body);

  it('has the same request carried out once, and answered the same', async () => {
    const body = { slug: slug('once') };
    const first = await post('/api/projects', 'a', body);
    const second = await post('/api/projects', 'a', body);

    assert.equal(first.status, 201);
    assert.equal(first.headers.get('idempotency-replayed'), null);
    assert.equal(second.status, 201);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
  });

  it('of one deploy starts one deployment, waited for or not', async () => {
    const { reference } = await app(daemon);
    for (const query of ['', '?wait=true']) {
      const path = `/api/apps/${reference}/deploy${query}`;
      const first = await post(path, `deploy${query}`, { tag: 'v1' });
      const second = await post(path, `deploy${query}`, { tag: 'v1' });
      assert.equal(second.status, first.status);
      assert.equal(second.text, first.text);
    }
    assert.equal((await daemon.call('GET', `/api/apps/${reference}/deployments`)).text.match(/"trigger"/g)?.length, 2);
  });

  it('with another body, or another query, is refused', async () => {
    await post('/api/projects', 'b', { slug: slug('b') });
    const answer = await post('/api/projects', 'b', { slug: slug('b') });
    assert.equal(answer.status, 422);
    const { reference } = await app(daemon);
    await post(`/api/apps/${reference}/deploy?dry_run=true`, 'q', { tag: 'v1' });
    assert.equal((await post(`/api/apps/${reference}/deploy`, 'q', { tag: 'v1' })).status, 422);
  });

  it('is one of its caller and of its route', async () => {
    const body = { slug: slug('mine') };
    assert.equal((await post('/api/projects', 'c', body)).status, 201);
    const other = user(daemon, 'admin');
    const theirs = await post('/api/projects', 'c', body, { authorization: `Bearer ${other.key}` });
    assert.equal(theirs.status, 409);
    const narrow = keyFor(daemon, { id: other.id, role: 'admin' }, { projects: [body.slug] });
    const environment = { slug: 'beta' };
    const path = `/api/projects/${body.slug}/environments`;
    assert.equal((await post(path, 'c', environment, { authorization: `Bearer ${other.key}` })).status, 201);
    assert.equal((await post(path, 'c', environment, { authorization: `Bearer ${narrow}` })).status, 409);
  });

  it('of what was refused without a change is not taken', async () => {
    const name = slug('late');
    const path = `/api/projects/${name}/environments`;
    assert.equal((await post(path, 'd', { slug: 'beta' })).status, 404);
    assert.equal((await post(path, 'd', { slug: '!' })).status, 404);
    await project(daemon, name);
    assert.equal((await post(path, 'd', { slug: 'production' })).status, 409);
    assert.equal((await post(path, 'd', { slug: 'beta' })).status, 201);
  });

  it('is taken in the transaction of the change', async () => {
    const name = slug('crash');
    const found: unknown[] = [];
    const stop = db().onEvent((event) => {
      if (event.data.project === name) found.push(...db().all("SELECT status FROM answers WHERE key = 'e'"));
    });
    await post('/api/projects', 'e', { slug: name });
    stop();
    assert.deepEqual({ ...(found[0] as object) }, { status: null });
  });

  it('whose answer was lost is refused with what to do, and nothing is repeated', async () => {
    const body = { slug: slug('lost') };
    await post('/api/projects', 'f', body);
    db().tx((tx) => tx.run("UPDATE answers SET status = NULL, answer = NULL WHERE key = 'f'"));
    await daemon.restart();
    const answer = await post('/api/projects', 'f', body);
    assert.equal(answer.status, 409);
    assert.match(answer.text, /was begun and how it ended is not on record/);
  });

  it('is refused while the first request with it is worked on, which goes on without its client', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.engine.controls.pause('createGroup');
    const path = `/api/apps/${reference}/deploy?wait=true`;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${daemon.key}`, 'idempotency-key': 'g', ...JSON_TYPE };
    const body = '{"tag":"v1"}';
    const first = send({ url: daemon.url }, { method: 'POST', path, headers, body, signal: leaving.signal });
    first.catch(() => undefined);
    await gate.reached;
    leaving.abort();

    const meanwhile = await post(path, 'g', { tag: 'v1' });
    assert.equal(meanwhile.status, 409);
    assert.match(meanwhile.text, /still being worked on/);
    assert.equal(meanwhile.headers.get('retry-after'), '1');
    gate.open();
    await daemon.settled();
    const again = await post(path, 'g', { tag: 'v1' });
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(JSON.parse(again.text).status, 'succeeded');
  });

  it('keeps what was answered sealed', async () => {
    const made = await post('/api/users/me/api-keys', 'h', { name: 'x' });
    const { key } = JSON.parse(made.text) as { key: string };
    assert.equal((await post('/api/users/me/api-keys', 'h', { name: 'x' })).text, made.text);
    const rows = JSON.stringify(db().all('SELECT * FROM answers'));
    assert.ok(!rows.includes(key));
  });

  it('holds for a day', async () => {
    const body = { slug: slug('old') };
    await post('/api/projects', 'i', body);
    db().tx((tx) => tx.run("UPDATE answers SET at = at - 86400001 WHERE key = 'i'"));
    assert.equal((await post('/api/projects', 'i', body)).status, 409);
    await answersTask(daemon.core).run(new AbortController().signal);
    assert.deepEqual(db().all("SELECT 1 FROM answers WHERE key = 'i'"), []);
    assert.notDeepEqual(db().all('SELECT 1 FROM answers'), []);
  });

  it('must be visible ASCII, and is nothing to what is no POST', async () => {
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'ü']) {
      assert.equal((await post('/api/projects', key, { slug: slug('p') })).status, 400, key);
    }
    assert.equal((await post('/api/projects', 'x'.repeat(255), { slug: slug('p') })).status, 201);
    assert.equal((await ask(daemon, 'GET', '/api/projects', { 'idempotency-key': 'a b' })).status, 200);
  });
});

describe('an ETag', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { app: made } = await deployedApp(daemon);
  const path = `/api/apps/${made.reference}`;
  const tagOf = async (of = path) => (await daemon.call('GET', of)).headers.get('etag') ?? assert.fail('no ETag');

  it('is the same until the thing changes', async () => {
    const before = await tagOf();
    assert.match(before, /^W\/"[\w-]{22}"$/);
    await daemon.core.engine.info();
    assert.equal(await tagOf(), before);
    await daemon.call('PATCH', path, { args: ['a'] });
    assert.notEqual(await tagOf(), before);
  });

  it('named by If-None-Match is answered 304, without a body', async () => {
    const tag = await tagOf();
    for (const header of [tag, `"x", ${tag}`, tag.slice(2), '*']) {
      const answer = await ask(daemon, 'GET', path, { 'if-none-match': header });
      assert.equal(answer.status, 304, header);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.get('etag'), tag);
    }
    assert.equal((await ask(daemon, 'GET', path, { 'if-none-match': '"x"' })).status, 200);
    assert.equal((await ask(daemon, 'HEAD', path, { 'if-none-match': tag })).status, 304);
    assert.equal((await ask(daemon, 'GET', '/api/apps', { 'if-none-match': await tagOf('/api/apps') })).status, 304);
  });

  it('demanded by If-Match lets a change through, and the next one not', async () => {
    const tag = await tagOf();
    assert.equal((await ask(daemon, 'PATCH', path, { 'if-match': tag }, { args: ['b'] })).status, 200);
    const late = await ask(daemon, 'PATCH', path, { 'if-match': tag }, { args: ['c'] });
    assert.equal(late.status, 412);
    assert.deepEqual(JSON.parse((await daemon.call('GET', path)).text).args, ['b']);
    assert.equal((await ask(daemon, 'PATCH', path, { 'if-match': '*' }, { args: ['d'] })).status, 200);
    const variables = `${path}/env`;
    const read = await tagOf(variables);
    assert.equal((await ask(daemon, 'PUT', variables, { 'if-match': read }, { vars: { A: '1' } })).status, 200);
    assert.equal((await ask(daemon, 'PUT', variables, { 'if-match': read }, { vars: {} })).status, 412);
    assert.equal((await ask(daemon, 'DELETE', path, { 'if-match': tag })).status, 412);
  });

  it('is compared after the fields and before everything else', async () => {
    const wrong = { 'if-match': '"x"' };
    assert.equal((await ask(daemon, 'PATCH', path, wrong, { colour: 'red' })).status, 400);
    assert.equal((await ask(daemon, 'PATCH', '/api/apps/a/b/c', wrong, {})).status, 404);
    assert.equal((await ask(daemon, 'PATCH', path, wrong, { scale: 2 })).status, 412);
    const production = `/api/projects/${made.project}/environments/production`;
    assert.equal((await ask(daemon, 'DELETE', production, wrong)).status, 412);
    assert.equal((await ask(daemon, 'DELETE', production, {})).status, 409);
  });

  it('of what cannot be read by itself matches nothing but «*»', async () => {
    await daemon.call('POST', `${path}/domains`, { host: 'a.example' });
    const [domain] = JSON.parse((await daemon.call('GET', `${path}/domains`)).text) as { id: number }[];
    const own = `${path}/domains/${domain?.id}`;
    if (allOperations.some((one) => one.method === 'GET' && one.path.endsWith('/domains/{domain}'))) return;
    assert.equal((await ask(daemon, 'DELETE', own, { 'if-match': '"x"' })).status, 412);
    assert.equal((await ask(daemon, 'DELETE', own, { 'if-match': '*' })).status, 204);
  });

  it('lets one of many changes at once through', async () => {
    const tag = await tagOf();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => ask(daemon, 'PATCH', path, { 'if-match': tag }, { args: [`n${i}`] })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412, 412, 412]);
  });
});

describe('a list', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('is read in pages that name the next one, without a gap or a doubling', async () => {
    for (const name of ['a', 'a-b', 'a0', 'b']) await project(daemon, name);
    for (const [inProject, name] of [
      ['a', 'x'],
      ['a-b', 'x'],
      ['a0', 'x'],
      ['a', 'y'],
      ['b', 'z'],
    ]) {
      await app(daemon, { project: inProject, name });
    }
    for (const [path, key] of [
      ['/api/apps', 'reference'],
      ['/api/projects', 'slug'],
      ['/api/projects/a/environments', 'slug'],
    ] as const) {
      const whole = JSON.parse((await daemon.call('GET', path)).text) as Record<string, string>[];
      const seen: string[] = [];
      for (let next: string | undefined = `${path}?limit=2`; next; ) {
        const answer = await daemon.call('GET', next);
        const page = JSON.parse(answer.text) as Record<string, string>[];
        assert.ok(page.length <= 2);
        seen.push(...page.map((item) => item[key] ?? ''));
        next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
        assert.ok(next === undefined || next.startsWith(`${path}?limit=2&cursor=`));
      }
      assert.deepEqual(
        seen,
        whole.map((item) => item[key]),
        path,
      );
    }
  });

  it('refuses a page that there is not', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=!', 'cursor=']) {
      assert.equal((await daemon.call('GET', `/api/apps?${query}`)).status, 400, query);
    }
  });
});

describe('every answer', async () => {
  const daemon = await bootDaemon({ settings: { domain: 'davit.test' } });
  after(() => daemon[Symbol.asyncDispose]());

  it('says the version, also when there was no request to answer', async () => {
    for (const bytes of ['garbage\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      assert.match(await sendBytes(daemon.url, bytes), /^Davit-Version: \d/m, bytes);
    }
    assert.match((await daemon.send({ path: '/healthz' })).headers.get('davit-version') ?? '', /^\d/);
  });

  it('that is an error is a problem document for who asks for one by name, raw ones too', async () => {
    const accept = 'Accept: application/problem+json';
    const raw = await sendBytes(daemon.url, `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${accept}\r\n\r\n`);
    assert.match(raw, /^HTTP\/1\.1 400 /);
    const problem = JSON.parse(raw.split('\r\n\r\n')[1] ?? '') as { status: number; code: string };
    assert.deepEqual([problem.status, problem.code], [400, 'bad_request']);
    const expected = await sendBytes(daemon.url, `GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n${accept}\r\n\r\n`);
    assert.match(expected, /"code":"expectation_failed"/);
  });

  it('to somebody who is known says how much he may still ask', async () => {
    const answer = await daemon.call('GET', '/api/projects');
    assert.equal(answer.headers.get('ratelimit-policy'), '"caller";q=600000;w=60');
    assert.match(answer.headers.get('ratelimit') ?? '', /^"caller";r=\d+;t=\d+$/);
    assert.ok((await daemon.call('GET', '/api/nope')).headers.get('ratelimit'));
    assert.equal((await daemon.call('GET', '/api/projects', undefined, 'nobody')).headers.get('ratelimit'), null);
  });

  it('is documented with its headers, for every operation', () => {
    type Headers = Record<string, object>;
    type Documented = { parameters?: { in: string; name: string }[]; responses: Record<string, { headers: Headers }> };
    const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, Documented>> };
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
        const sent = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
        assert.equal(sent.includes('Idempotency-Key'), method === 'post', path);
        assert.equal(sent.includes('If-Match'), ['put', 'patch', 'delete'].includes(method), path);
        assert.equal(sent.includes('If-None-Match'), '304' in responses, path);
        for (const [status, { headers }] of Object.entries(responses)) {
          assert.ok('Davit-Version' in headers && 'X-Request-Id' in headers, `${method} ${path} ${status}`);
          assert.equal('RateLimit' in headers, status !== '401', `${method} ${path} ${status}`);
        }
      }
    }
  });
});

describe('more requests than a caller may make', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('are refused for him alone, with the time to wait', async () => {
    const { store } = daemon.core;
    const settings = JSON.stringify({ api: { requests_per_minute: 60 } });
    store.tx((tx) => tx.run("INSERT INTO settings (key, value) VALUES ('instance.settings', ?)", settings));
    const eager = user(daemon, 'viewer');
    const statuses: number[] = [];
    for (let i = 0; i < 62; i++)
      statuses.push((await daemon.call('GET', '/api/projects', undefined, eager.key)).status);
    assert.ok(statuses.slice(0, 60).every((status) => status === 200));
    const refused = await daemon.call('GET', '/api/projects', undefined, eager.key);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await daemon.call('GET', '/api/projects', undefined, user(daemon, 'viewer').key)).status, 200);
  });
});

describe('a session’s cookie', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const signIn = { method: 'POST', path: '/api/auth/login', headers: JSON_TYPE, body: JSON.stringify(ADMIN) };
  const cookie = (await daemon.send(signIn)).headers.get('set-cookie')?.split(';')[0] ?? '';

  it('is taken under the instance’s own names alone', async () => {
    const statusAs = async (host: string, headers: Record<string, string> = { cookie }) =>
      (await daemon.send({ path: '/api/projects', headers: { host, ...headers } })).status;
    for (const host of [
      'davit.test',
      'DAVIT.test:3000',
      'localhost:3000',
      'a.localhost',
      '10.0.0.7',
      '[::1]:3000',
      'box',
      'box.local',
    ]) {
      assert.equal(await statusAs(host), 200, host);
    }
    for (const host of [
      'evil.example',
      'davit.test.evil.example',
      'app.production.shop.davit.test',
      '10.0.0.7.evil.example',
    ]) {
      assert.equal(await statusAs(host), 403, host);
      assert.equal(await statusAs(host, { authorization: `Bearer ${daemon.key}` }), 200, host);
    }
    const answer = await daemon.send({ path: '/api/projects', headers: { host: 'evil.example', cookie } });
    assert.equal(answer.text, 'This instance has another name: open it as davit.test, or by its address.\n');
  });
});
