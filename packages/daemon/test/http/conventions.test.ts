/** Rules for all operations: tags, pages, limits, names and versions. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { allOperations, DavitError, type Problem } from '@davit/api';
import { openApiDocument } from '@davit/api/openapi.ts';
import { app, bootDaemon, cookieOf, deployedApp, keyFor, project, sendBytes, signIn, user } from '@davit/testkit';
import { z } from 'zod';

describe('ETag', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { app: made } = await deployedApp(daemon);
  const path = `/api/apps/${made.reference}`;
  const tagOf = async (of = path) => (await daemon.call('GET', of)).headers.get('etag') ?? assert.fail('no ETag');

  it('stays the same until the resource changes', async () => {
    const before = await tagOf();
    assert.match(before, /^W\/"[\w-]{22}"$/);
    await daemon.core.engine.info();
    assert.equal(await tagOf(), before);
    await daemon.call('PATCH', path, { args: ['a'] });
    assert.notEqual(await tagOf(), before);
  });

  it('leads to status 304 without a body if If-None-Match matches', async () => {
    const tag = await tagOf();
    for (const header of [tag, `"x", ${tag}`, tag.slice(2), '*']) {
      const answer = await daemon.ask('GET', path, { 'if-none-match': header });
      assert.equal(answer.status, 304, header);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.get('etag'), tag);
    }
    assert.equal((await daemon.ask('GET', path, { 'if-none-match': '"x"' })).status, 200);
    assert.equal((await daemon.ask('HEAD', path, { 'if-none-match': tag })).status, 304);
    assert.equal((await daemon.ask('GET', '/api/apps', { 'if-none-match': await tagOf('/api/apps') })).status, 304);
  });

  it('allows the first change with a matching If-Match and refuses the next change', async () => {
    const tag = await tagOf();
    assert.equal((await daemon.ask('PATCH', path, { 'if-match': tag }, { args: ['b'] })).status, 200);
    const late = await daemon.ask('PATCH', path, { 'if-match': tag }, { args: ['c'] });
    assert.equal(late.status, 412);
    assert.deepEqual(JSON.parse((await daemon.call('GET', path)).text).args, ['b']);
    assert.equal((await daemon.ask('PATCH', path, { 'if-match': '*' }, { args: ['d'] })).status, 200);
    const variables = `${path}/env`;
    const read = await tagOf(variables);
    assert.equal((await daemon.ask('PUT', variables, { 'if-match': read }, { vars: { A: '1' } })).status, 200);
    assert.equal((await daemon.ask('PUT', variables, { 'if-match': read }, { vars: {} })).status, 412);
    assert.equal((await daemon.ask('DELETE', path, { 'if-match': tag })).status, 412);
  });

  it('is compared after the checks of fields and existence, but before conflicts', async () => {
    const wrong = { 'if-match': '"x"' };
    assert.equal((await daemon.ask('PATCH', path, wrong, { colour: 'red' })).status, 400);
    assert.equal((await daemon.ask('PATCH', '/api/apps/a/b/c', wrong, {})).status, 404);
    assert.equal((await daemon.ask('PATCH', path, wrong, { scale: 2 })).status, 412);
    const production = `/api/projects/${made.project}/environments/production`;
    assert.equal((await daemon.ask('DELETE', production, wrong)).status, 412);
    assert.equal((await daemon.ask('DELETE', production, {})).status, 409);
  });

  it('matches only “*” for a resource without a GET operation', async () => {
    const keys = `/api/users/${user(daemon, 'viewer').username}/api-keys`;
    const [key] = JSON.parse((await daemon.call('GET', keys)).text) as { id: number }[];
    const own = `${keys}/${key?.id}`;
    assert.equal((await daemon.ask('DELETE', own, { 'if-match': '"x"' })).status, 412);
    assert.equal((await daemon.ask('DELETE', own, { 'if-match': '*' })).status, 204);
  });

  it('allows only one of several concurrent changes with the same If-Match', async () => {
    const tag = await tagOf();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => daemon.ask('PATCH', path, { 'if-match': tag }, { args: [`n${i}`] })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412, 412, 412]);
  });
});

describe('lists', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('return pages with a link to the next page, without gaps or duplicates', async () => {
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
    const schedules = '/api/apps/a/production/x/schedules';
    const lister = user(daemon, 'viewer');
    for (let i = 0; i < 3; i++) {
      await daemon.call('POST', schedules, { cron: '@daily', command: ['true'], name: `${i}` });
      keyFor(daemon, { id: lister.id, role: 'viewer' });
    }
    for (const [path, key] of [
      [schedules, 'id'],
      [`/api/users/${lister.username}/api-keys`, 'id'],
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

  it('support limit and cursor in every list operation', () => {
    const lists = allOperations.filter(
      ({ method, responses }) => method === 'GET' && responses[200]?.schema instanceof z.ZodArray,
    );
    const whole = lists.filter(
      ({ query }) => query === undefined || !('limit' in query.shape && 'cursor' in query.shape),
    );
    assert.ok(lists.length > 10);
    assert.deepEqual(
      whole.map(({ id }) => id),
      [],
    );
  });

  it('refuse invalid limits and cursors', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=!', 'cursor=']) {
      assert.equal((await daemon.call('GET', `/api/apps?${query}`)).status, 400, query);
    }
  });
});

describe('every response', async () => {
  const daemon = await bootDaemon({ settings: { domain: 'davit.test' } });
  after(() => daemon[Symbol.asyncDispose]());

  it('contains the version of Davit, also for a malformed request', async () => {
    for (const bytes of ['garbage\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      assert.match(await sendBytes(daemon.url, bytes), /^Davit-Version: \d/m, bytes);
    }
    assert.match((await daemon.send({ path: '/healthz' })).headers.get('davit-version') ?? '', /^\d/);
  });

  it('is a problem document for an error if the client accepts this type', async () => {
    const accept = 'Accept: application/problem+json';
    const raw = await sendBytes(daemon.url, `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${accept}\r\n\r\n`);
    assert.match(raw, /^HTTP\/1\.1 400 /);
    const problem = JSON.parse(raw.split('\r\n\r\n')[1] ?? '') as { status: number; code: string };
    assert.deepEqual([problem.status, problem.code], [400, 'bad_request']);
    const expected = await sendBytes(daemon.url, `GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n${accept}\r\n\r\n`);
    assert.match(expected, /"code":"expectation_failed"/);
  });

  it('lists all invalid fields in the problem document and the first field in the text', async () => {
    const body = { name: 'Not A Name', replicas: 2, health: { path: 'x' } };
    const request = { method: 'POST', path: '/api/apps', headers: { 'content-type': 'application/json' } };
    const key = { authorization: `Bearer ${daemon.key}` };
    const sent = JSON.stringify(body);
    const text = await daemon.send({ ...request, headers: { ...request.headers, ...key }, body: sent });
    const accept = 'application/json, application/problem+json';
    const headers = { ...request.headers, ...key, accept };
    const problem = JSON.parse((await daemon.send({ ...request, headers, body: sent })).text) as Problem;
    const [first] = problem.fields;
    assert.deepEqual(
      [text.status, problem.status, problem.code, problem.retryable],
      [400, 400, 'invalid_input', false],
    );
    assert.equal(text.text, `${first?.path}: ${first?.message}\n`);
    assert.equal(problem.detail, text.text.trimEnd());
    const codes = Object.fromEntries(problem.fields.map(({ path, code }) => [path, code]));
    assert.deepEqual(
      [codes.project, codes.replicas, codes['health.path'], codes.name],
      ['required', 'unknown', 'invalid_format', 'invalid_format'],
    );
  });

  it('gives the typed client the code, the fields and the retryable flag of an error', async () => {
    const refused = await daemon.client.createProject({ body: { slug: 'Not A Name' } }).catch((error) => error);
    assert.ok(refused instanceof DavitError);
    assert.deepEqual([refused.code, refused.status, refused.retryable], ['invalid_input', 400, false]);
    assert.deepEqual(
      refused.fields.map(({ path }) => path),
      ['slug'],
    );
    assert.match(refused.requestId ?? '', /^[0-9a-f-]{36}$/);
  });

  it('contains the rate limit for an authenticated caller only', async () => {
    const answer = await daemon.call('GET', '/api/projects');
    assert.equal(answer.headers.get('ratelimit-policy'), '"caller";q=600000;w=60');
    assert.match(answer.headers.get('ratelimit') ?? '', /^"caller";r=\d+;t=\d+$/);
    assert.ok((await daemon.call('GET', '/api/nope')).headers.get('ratelimit'));
    assert.equal((await daemon.call('GET', '/api/projects', undefined, 'nobody')).headers.get('ratelimit'), null);
  });

  it('is documented with its headers for every operation', () => {
    interface Response {
      $ref?: string;
      headers?: Record<string, object>;
    }
    type Documented = { parameters?: { in: string; name: string }[]; responses: Record<string, Response> };
    const { paths, components } = openApiDocument('0') as {
      paths: Record<string, Record<string, Documented>>;
      components: { responses: Record<string, Response> };
    };
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
        const sent = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
        assert.equal(sent.includes('Idempotency-Key'), method === 'post', path);
        assert.equal(sent.includes('If-Match'), ['put', 'patch', 'delete'].includes(method), path);
        assert.equal(sent.includes('If-None-Match'), '304' in responses, path);
        for (const [status, response] of Object.entries(responses)) {
          const shared = components.responses[response.$ref?.split('/').at(-1) ?? ''];
          const headers = response.headers ?? shared?.headers ?? {};
          assert.ok('Davit-Version' in headers && 'X-Request-Id' in headers, `${method} ${path} ${status}`);
          assert.equal('RateLimit' in headers, status !== '401', `${method} ${path} ${status}`);
        }
      }
    }
  });
});

describe('API rate limit', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('refuses further requests of one caller only, with the time to wait', async () => {
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

describe('session cookie', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const cookie = cookieOf(await signIn(daemon));

  it('is accepted only under the host names of the instance', async () => {
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
    assert.equal(
      answer.text,
      'This host name does not belong to the instance. Use davit.test, or the IP address of the server.\n',
    );
  });
});
