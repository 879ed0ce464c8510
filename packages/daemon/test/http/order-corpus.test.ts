/**
 * All routes with all kinds of invalid requests. The response follows the documented order of checks and is one
 * sentence, and no record changes. New routes are included automatically.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendBytes } from '@davit/testkit';
import { partOf } from '../../../../test/support/tiers.ts';
import { dump, orderSetup, type Route, type Setup, withQuery } from '../support/order-setup.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Content types that are accepted or refused. Undefined: without the header. */
const TYPES: [type: string | undefined, isTaken: boolean][] = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset="UTF-8"', true],
  ['APPLICATION/JSON', true],
  [undefined, false],
  ['', false],
  ['text/plain', false],
  ['text/plain;charset=UTF-8', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['application/octet-stream', false],
  ['text/json', false],
  ['application/jsonp', false],
  ['application/json; charset=latin1', false],
  ['application/json; charset=utf-8; charset=utf-8', false],
  ['application/json;', false],
  ['application/json, application/json', false],
  ['application/problem+json', false],
  ['application/merge-patch+json', false],
  ['*/*', false],
  [';;;', false],
  ['json', false],
];

const BROKEN: [name: string, body: string | Buffer][] = [
  ['nothing but a brace', '{'],
  ['two objects', '{}{}'],
  ['a duplicate key', '{"a":1,"a":1}'],
  ['a duplicate key by an escape', '{"a":1,"\\u0061":1}'],
  ['null', 'null'],
  ['an array', '[]'],
  ['a string', '"{}"'],
  ['a number', '1'],
  ['a comment', '{}//'],
  ['a trailing comma', '{"a":1,}'],
  ['too deep', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['very deep', `{"a":${'['.repeat(10_000)}`],
  ['a NUL', '{"a":"\\u0000"}'],
  ['half a pair', '{"a":"\\ud800"}'],
  ['a byte order mark', '\ufeff{}'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['__proto__', '{"__proto__":{}}'],
];

/**
 * Number of parts of the kinds of errors. In the quick tier each route is tested with one part, and the next route with
 * the next part.
 */
const PARTS = 8;

describe('every route', () => {
  let here: Setup;
  let key: Record<string, string>;
  let atFirst: ReturnType<typeof dump>;
  before(async () => {
    here = await orderSetup();
    key = { authorization: `Bearer ${here.daemon.key}` };
    atFirst = dump(here.daemon.core.store);
  });
  after(() => here[Symbol.asyncDispose]());
  const below = () => here.routes.filter(({ path }) => path.startsWith('/api/'));
  const known = () => below().filter(({ endpoint }) => endpoint.access === 'caller');

  /** Returns the kinds of errors for this route. */
  const turnOf = <T>(all: readonly T[], route: Route) => partOf(all, here.routes.indexOf(route), PARTS);

  /** Sends a request and compares its status. The message of a failure contains the response. */
  async function expect(status: number, route: Route, what: string, sending: object): Promise<void> {
    const answer = await here.ask({ method: route.method, path: route.path, ...sending });
    assert.equal(answer.status, status, `${route.name}, ${what}: ${answer.text}`);
  }

  it('accepts a body only as JSON', async () => {
    await here.each(here.routes, async (route) => {
      for (const [type, isTaken] of turnOf(TYPES, route)) {
        const headers = { ...key, ...(type !== undefined && { 'content-type': type }) };
        const status = isTaken ? 400 : 415;
        await expect(status, route, `a body as “${type}”`, { headers, body: '{"not-a-field":1}' });
      }
    });
  });

  it('checks the content type of a write request without a body', async () => {
    await here.each(below(), async (route) => {
      if (route.method === 'GET') return;
      await expect(415, route, 'a form without fields', { headers: { ...key, 'content-type': 'text/plain' } });
    });
  });

  it('refuses a compressed body and a body above the size limit', async () => {
    await here.each(below(), async (route) => {
      const headers = { ...key, ...JSON_TYPE };
      await expect(415, route, 'compressed', { headers: { ...headers, 'content-encoding': 'gzip' }, body: '{}' });
      const length = String(route.endpoint.bodyBytes + 1);
      const head = [`${route.method} ${route.path} HTTP/1.1`, 'Host: a', `X-Forwarded-For: 10.200.0.${length.length}`];
      const sent = [
        ...head,
        `Authorization: ${key.authorization}`,
        'Content-Type: application/json',
        `Content-Length: ${length}`,
      ];
      const answer = await sendBytes(here.daemon.url, `${sent.join('\r\n')}\r\nConnection: close\r\n\r\n{`);
      assert.match(answer, /^HTTP\/1\.1 413 /, `${route.name}: ${answer}`);
    });
  });

  it('refuses invalid or ambiguous JSON', async () => {
    await here.each(here.routes, async (route) => {
      for (const [name, body] of turnOf(BROKEN, route)) {
        const answer = await here.ask({
          method: route.method,
          path: `${route.path}?not-a-field=1`,
          headers: { ...key, ...JSON_TYPE },
          body,
        });
        assert.equal(answer.status, 400, `${route.name}, ${name}: ${answer.text}`);
        assert.match(answer.text, /^The body /, `${route.name}, ${name}`);
      }
    });
  });

  it('reports the errors of a request one after another in the documented order', async () => {
    await here.each(known(), async (route) => {
      const { path, endpoint } = route;
      const isWrite = route.method !== 'GET';
      const all = { 'content-type': 'text/plain', 'if-match': '"x"', 'idempotency-key': 'a b' };
      const wrong = { ...all, ...JSON_TYPE };
      const faulty = { path: `${path}?not-a-field=1`, body: '{"not-a-field":1}' };
      const nowhere = `${path.replace(route.fixed, `${route.fixed}missing-`)}?not-a-field=1`;
      const scoped = endpoint.needs !== null && endpoint.needs.scope !== 'instance';
      await expect(401, route, 'without credentials', { ...faulty, headers: all });
      if (isWrite) {
        const crossSite = { ...all, cookie: here.cookie, 'sec-fetch-site': 'cross-site' };
        await expect(403, route, 'across sites', { ...faulty, headers: crossSite });
      }
      await expect(405, route, 'by another method', { ...faulty, method: 'PROPFIND', headers: { ...key, ...all } });
      await expect(415, route, 'as text', { ...faulty, headers: { ...key, ...all } });
      await expect(400, route, 'broken', { ...faulty, body: '{', headers: { ...key, ...wrong } });
      if (scoped) await expect(404, route, 'of nothing', { ...faulty, path: nowhere, headers: { ...key, ...wrong } });
      const viewer = { authorization: `Bearer ${here.viewer}`, ...wrong };
      const refused = endpoint.needs !== null && endpoint.needs.permission !== 'read';
      if (refused) await expect(403, route, 'as a viewer', { ...faulty, headers: viewer });
      await expect(400, route, 'with an unknown parameter', { ...faulty, headers: { ...key, ...wrong } });
      await expect(400, route, 'with an unknown field', { ...faulty, path, headers: { ...key, ...wrong } });
    });
  });

  it('compares If-Match after the fields and refuses an invalid Idempotency-Key', async () => {
    await here.each(known(), async (route) => {
      const body = route.sample ?? '{}';
      const path = withQuery(route);
      if (['PUT', 'PATCH', 'DELETE'].includes(route.method)) {
        await expect(412, route, 'If-Match', { path, body, headers: { ...key, ...JSON_TYPE, 'if-match': '"x"' } });
      }
      if (route.method === 'POST') {
        const headers = { ...key, ...JSON_TYPE, 'idempotency-key': 'a b' };
        await expect(400, route, 'a key that is none', { path, body, headers });
      }
    });
  });

  it('accepts only one spelling of its path', async () => {
    await here.each(below(), async (route) => {
      const { path, fixed } = route;
      const odd = [
        `${path}/`,
        `/${path}`,
        path.replace('/api/', '/api//'),
        path.replace('/api/', '/api/./'),
        path.replace('/api/', '/api/x/../'),
        path.replace('/api/', '/api%2f'),
        path.replace('/api/', '/api/%2e%2e/'),
        path.replace(fixed.slice(5, 6), `%${fixed.charCodeAt(5).toString(16)}`),
        path.replace('/api/', '/API/'),
        path.replace(fixed, `${fixed.slice(0, -1)}%00/`),
        path.replace('/api/', `/api/${'x'.repeat(8_000)}/`),
        `${path}%2f`,
        `${path};x=1/y`,
      ];
      for (const one of turnOf(odd, route)) {
        const answer = await here.ask({
          method: route.method,
          path: one,
          headers: { ...key, 'content-type': 'text/plain' },
          body: 'x',
        });
        const at = here.routes.filter((other) => takes(other, one));
        const missing = at.length === 0 ? 404 : 405;
        const expected = at.some(({ method }) => method === route.method) ? 415 : missing;
        assert.equal(answer.status, expected, `${route.method} ${one.slice(0, 200)}: ${answer.text}`);
        if (one.startsWith('/api/')) {
          const anonymous = await here.ask({ method: route.method, path: one });
          assert.equal(
            anonymous.status,
            401,
            `${route.method} ${one.slice(0, 200)} without credentials: ${anonymous.text}`,
          );
        }
      }
    });
  });

  it('returns 404 for names that no resource can have', async () => {
    const names = [
      '%00',
      '%0a',
      '..%2f..',
      '%2e%2e',
      '%F0%9F%8E%89',
      'x'.repeat(3_000),
      "'%20OR%201=1--",
      '-1',
      '1e1',
      '*',
    ];
    await here.each(known(), async (route) => {
      const [, template] = route.name.split(' ');
      if (!template?.includes('{')) return;
      for (const name of turnOf(names, route)) {
        const path = withQuery({ ...route, path: template.replaceAll(/\{\w+\}/g, name) });
        const sending = { path, headers: { ...key, ...JSON_TYPE }, body: route.sample ?? '{}' };
        await expect(404, route, `“${name.slice(0, 20)}”`, sending);
      }
      const path = template.replaceAll(/\{\w+\}/g, '%zz');
      await expect(400, route, '“%zz”', { path, headers: { ...key, 'content-type': 'text/plain' }, body: 'x' });
    });
  });

  it('returns 405 with the allowed methods for other methods, and supports HEAD', async () => {
    const paths = new Set(here.routes.map(({ path }) => path));
    for (const path of paths) {
      const methods = here.routes.filter((route) => takes(route, path)).map(({ method }) => method);
      const allowed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) =>
        methods.includes(one === 'HEAD' ? 'GET' : one),
      );
      for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET']) {
        if (methods.includes(method)) continue;
        const answer = await here.ask({ method, path, headers: { ...key, 'content-type': 'text/plain' } });
        assert.equal(answer.status, 405, `${method} ${path}: ${answer.text}`);
        assert.equal(answer.headers.get('allow'), allowed.join(', '), path);
      }
      if (!methods.includes('GET')) continue;
      const [get, head] = [
        await here.ask({ path, headers: key }),
        await here.ask({ method: 'HEAD', path, headers: key }),
      ];
      assert.equal(head.status, get.status, path);
      assert.equal(head.text, '');
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    }
  });

  it('changes no records in response to the requests of this suite', async () => {
    await here.daemon.settled();
    assert.deepEqual(dump(here.daemon.core.store), atFirst);
  });
});

/** Returns whether a path matches a route. For example, `/users/me` also matches the route of a user. */
function takes({ name }: Route, path: string): boolean {
  const template = name.split(' ')[1] ?? '';
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
