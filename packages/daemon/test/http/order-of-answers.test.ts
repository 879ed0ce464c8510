/** Responses to requests with several errors, case by case; order-corpus.test.ts tests all routes. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, cookieOf, deployedApp, project, type Sending, sendBytes, signIn, user } from '@davit/testkit';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('order of request checks', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const admin = bearer(daemon.key);
  const { project: name, reference } = await app(daemon);
  const viewer = user(daemon, 'viewer');
  const stranger = user(daemon, 'member', [await project(daemon)]);
  const cookie = cookieOf(await signIn(daemon));
  const statusOf = async (sending: Sending) => (await daemon.send(sending)).status;

  it('reports the errors of a request one at a time in the documented order', async () => {
    const big = `{"slug":"${'x'.repeat(1_100_000)}"}`;
    const faults: [expected: number, sending: Sending][] = [
      [401, { path: '/api/nowhere?x=1', headers: { 'content-type': 'text/plain' }, body: big }],
      [403, { path: '/api/nowhere?x=1', headers: { cookie, 'content-type': 'text/plain' }, body: big }],
      [404, { path: '/api/nowhere?x=1', headers: { ...bearer(viewer.key), 'content-type': 'text/plain' }, body: big }],
      [405, { path: '/api/instance?x=1', headers: { ...bearer(viewer.key), 'content-type': 'text/plain' }, body: big }],
      [
        415,
        {
          path: '/api/projects/none/environments?x=1',
          headers: { ...bearer(viewer.key), 'content-type': 'text/plain' },
          body: big,
        },
      ],
      [
        413,
        { path: '/api/projects/none/environments?x=1', headers: { ...bearer(viewer.key), ...JSON_TYPE }, body: big },
      ],
      [
        400,
        { path: '/api/projects/none/environments?x=1', headers: { ...bearer(viewer.key), ...JSON_TYPE }, body: '{' },
      ],
      [
        404,
        { path: '/api/projects/none/environments?x=1', headers: { ...bearer(viewer.key), ...JSON_TYPE }, body: '{}' },
      ],
      [
        404,
        {
          path: `/api/projects/${name}/environments?x=1`,
          headers: { ...bearer(stranger.key), ...JSON_TYPE },
          body: '{}',
        },
      ],
      [
        403,
        {
          path: `/api/projects/${name}/environments?x=1`,
          headers: { ...bearer(viewer.key), ...JSON_TYPE },
          body: '{}',
        },
      ],
      [400, { path: `/api/projects/${name}/environments?x=1`, headers: { ...admin, ...JSON_TYPE }, body: '{}' }],
      [400, { path: `/api/projects/${name}/environments`, headers: { ...admin, ...JSON_TYPE }, body: '{}' }],
      [
        409,
        {
          path: `/api/projects/${name}/environments`,
          headers: { ...admin, ...JSON_TYPE },
          body: '{"slug":"production"}',
        },
      ],
      [
        201,
        { path: `/api/projects/${name}/environments`, headers: { ...admin, ...JSON_TYPE }, body: '{"slug":"staging"}' },
      ],
    ];
    for (const [expected, sending] of faults) {
      assert.equal(
        await statusOf({ method: 'POST', ...sending }),
        expected,
        `${sending.path} ${sending.body?.slice(0, 20)}`,
      );
    }
  });

  it('starts with 401 below /api and returns 404 for unknown paths elsewhere', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      for (const path of [
        '/api',
        '/api/',
        '/api/apps',
        '/api/nope',
        '/api//apps',
        '/api/../healthz',
        '/api/apps/%zz/b/c',
        '/api?x',
      ]) {
        assert.equal(await statusOf({ method, path }), 401, `${method} ${path}`);
      }
    }
    for (const path of ['/apix', '/%61pi/apps', '//api/apps', '/API/apps', '/healthz/', '/docs/', '/docs/x']) {
      assert.equal(await statusOf({ path }), 404, path);
    }
    assert.equal(await statusOf({ method: 'POST', path: '/mcp' }), 401);
    assert.equal(await statusOf({ method: 'DELETE', path: '/api/setup' }), 401);
  });

  it('returns the allowed methods with status 405', async () => {
    const answer = await daemon.call('PATCH', '/api/apps');
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
    assert.equal((await daemon.call('DELETE', '/healthz')).headers.get('allow'), 'GET, HEAD');
    assert.equal((await daemon.call('OPTIONS', '/api/apps')).status, 405);
  });

  it('accepts only one form of a path', async () => {
    const paths = [
      `/api/apps/${reference}/`,
      `/api//apps/${reference}`,
      `/api/apps/${reference.replace('/', '//')}`,
      '/api/apps/',
      `/api/x/../apps/${reference}`,
      `/api/apps%2f${reference}`,
    ];
    for (const path of paths) assert.equal((await daemon.call('GET', path)).status, 404, path);
    const escaped = reference.replace('p', '%70');
    assert.equal((await daemon.call('GET', `/api/apps/${escaped}`)).status, 200);
    assert.equal((await daemon.call('GET', `/api/apps/${reference.replace('p', '%2570')}`)).status, 404);
    for (const bad of ['%', '%zz', '%c3%28']) {
      assert.equal((await daemon.call('GET', `/api/apps/${bad}/b/c`)).status, 400, bad);
    }
    for (const odd of ['..%2f..', '%2e%2e', '%00', '%0d%0aX', 'settings', 'A', '%D0%B0']) {
      assert.equal((await daemon.call('GET', `/api/apps/${odd}/production/web`)).status, 404, odd);
    }
  });

  it('is the same for HEAD and GET requests', async () => {
    for (const path of [`/api/apps/${reference}`, '/api/apps/a/b/c', '/api/nope']) {
      const [get, head] = [await daemon.call('GET', path), await daemon.call('HEAD', path)];
      assert.equal(head.status, get.status);
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
    }
  });
});

describe('request body', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { reference } = await app(daemon);
  const admin = { authorization: `Bearer ${daemon.key}` };
  const post = async (path: string, headers: Record<string, string>, body?: string, chunked = false) =>
    daemon.send({
      method: 'POST',
      path,
      headers: { ...admin, ...headers },
      chunked,
      ...(body !== undefined && { body }),
    });

  it('is refused for its content type, also when sent in chunks', async () => {
    for (const path of ['/api/projects', `/api/apps/${reference}/deployments/1/cancel`, '/api/auth/login']) {
      assert.equal((await post(path, { 'content-type': 'text/plain' }, '{}', true)).status, 415, path);
    }
  });

  it('may declare the character set UTF-8', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
      const slug = `p-${type.length}`;
      assert.equal((await post('/api/projects', { 'content-type': type }, JSON.stringify({ slug }))).status, 201, type);
    }
  });

  it('can be omitted without a content type if the body is optional', async () => {
    assert.equal((await post(`/api/apps/${reference}/deploy`, {})).status, 400);
    const answer = await post(`/api/apps/${reference}/deploy?dry_run=true`, {}, '');
    assert.notEqual(answer.status, 415);
    assert.equal(
      (await post('/api/projects', {})).text,
      'The request has no body. Send one JSON object with “Content-Type: application/json”.\n',
    );
  });

  it('may be an empty object for an operation without a body', async () => {
    const path = `/api/apps/${reference}/deployments/999/cancel`;
    assert.equal((await post(path, JSON_TYPE, '{}')).status, 404);
    const { deployment } = await deployedApp(daemon);
    const own = `/api/apps/${deployment.app}/deployments/${deployment.id}/cancel`;
    assert.equal((await post(own, JSON_TYPE, '{"a":1}')).text, 'a: is not a field of this request.\n');
    assert.equal((await post(own, JSON_TYPE, '{}')).status, 409);
  });

  it('is refused above the size limit, with and without a Content-Length', async () => {
    const over = JSON.stringify({ slug: 'x'.repeat(1024 * 1024) });
    assert.equal((await post('/api/projects', JSON_TYPE, over)).status, 413);
    assert.equal((await post('/api/projects', JSON_TYPE, over, true)).status, 413);
    assert.equal(
      (await post('/api/auth/login', JSON_TYPE, JSON.stringify({ username: 'x'.repeat(17_000) }))).status,
      413,
    );
    const exact = `{"slug":"${'x'.repeat(1024 * 1024 - 11)}"}`;
    assert.equal((await post('/api/projects', JSON_TYPE, exact)).status, 400);
    const early = await sendBytes(
      daemon.url,
      `POST /api/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${daemon.key}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{`,
    );
    assert.match(early, /^HTTP\/1.1 413 /);
  });
});

describe('query parameters', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { reference } = await app(daemon);

  const cases: [query: string, message: string][] = [
    ['wait=yes', 'wait: must be true or false.'],
    ['wait=1', 'wait: must be true or false.'],
    ['wait=TRUE', 'wait: must be true or false.'],
    ['wait', 'wait: must be true or false.'],
    ['wait=', 'wait: must be true or false.'],
    ['wait=true&wait=true', 'wait: The query contains this parameter twice. Send it once.'],
    ['wait[]=true', 'wait[]: is not a field of this query.'],
    ['colour=red', 'colour: is not a field of this query.'],
    ['=true', ': is not a field of this query.'],
    ['wait=%zz', 'The query contains an invalid percent-encoding: “%zz”. Encode % as %25.'],
    ['a%0ab=1', 'a\\nb: is not a field of this query.'],
  ];
  for (const [query, message] of cases) {
    it(`are refused with a specific error: ${query}`, async () => {
      const answer = await daemon.call('POST', `/api/apps/${reference}/deploy?${query}`, { tag: 'v1' });
      assert.equal(answer.status, 400);
      assert.equal(answer.text, `${message}\n`);
    });
  }

  it('are refused by routes without query parameters', async () => {
    for (const path of [
      '/api/apps?x=1',
      '/api/projects?',
      '/api/instance?a=b',
      '/healthz?x=1',
      '/docs?x=1',
      '/api/setup?x',
    ]) {
      assert.equal((await daemon.call('GET', path)).status, path.endsWith('?') ? 200 : 400, path);
    }
  });
});
