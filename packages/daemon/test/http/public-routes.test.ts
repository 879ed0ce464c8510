/** Public routes, and the behavior of the instance while it starts, stops or has no engine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, deployedApp, send, sendBytes } from '@davit/testkit';

describe('requests without credentials', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('get the OpenAPI document without the undocumented routes', async () => {
    const answer = await daemon.send({ path: '/openapi.json' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    const document = JSON.parse(answer.text);
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.components.securitySchemes.apiKey.scheme, 'bearer');
    assert.doesNotMatch(answer.text, /healthz|me\/api-keys|auth\/login|\/mcp|v2\/token/);
  });

  it('get the API reference without content from other hosts', async () => {
    const page = await daemon.send({ path: '/docs' });
    assert.match(page.text, /<meta name="description" content="[^"]+">/);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.doesNotMatch(page.text, /https?:\/\//);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /\*|https?:|unsafe-eval|script-src[^;]*unsafe/);
    for (const [, path = ''] of page.text.matchAll(/src="([^"]+)"/g)) {
      const script = await daemon.send({ path, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(script.status, 200, path);
      assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
      assert.equal(script.headers.get('content-encoding'), 'gzip');
    }
  });

  it('get no CORS headers for another origin', async () => {
    for (const path of ['/openapi.json', '/docs', '/api/setup', '/api/apps', '/healthz']) {
      const { headers } = await daemon.send({ path, headers: { origin: 'http://evil.test' } });
      assert.equal(
        [...headers.keys()].some((name) => name.startsWith('access-control')),
        false,
        path,
      );
    }
  });

  it('get a plain-text 400 response to malformed bytes', async () => {
    for (const bytes of [
      '\0\0\0\0\r\n\r\n',
      'GET /api/apps\r\n\r\n',
      'GET /api/apps HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n',
    ]) {
      const text = await sendBytes(daemon.url, bytes);
      assert.match(text, /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*text\/plain; charset=utf-8[\s\S]*\.\n$/);
    }
  });
});

describe('while the engine is unavailable', async () => {
  let now = Date.parse('2026-06-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());

  it('the instance is healthy but not ready, serves reads and refuses deployments', async () => {
    const { app: deployed } = await deployedApp(daemon);
    const created = await app(daemon);
    assert.equal((await daemon.send({ path: '/readyz' })).text, 'ready\n');

    daemon.engine.controls.setAvailable(false);
    now += 1_000;
    daemon.core.nudgeRetirement();
    await daemon.settled();
    const deploy = await daemon.call('POST', `/api/apps/${created.reference}/deploy`, { tag: 'v9' });

    assert.equal(deploy.status, 503);
    assert.match(deploy.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await daemon.send({ path: '/healthz' })).status, 200);
    const ready = await daemon.send({ path: '/readyz' });
    assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '5']);
    const read = await daemon.call('GET', `/api/apps/${deployed.reference}`);
    assert.equal(read.status, 200);
    assert.equal(JSON.parse(read.text).status, 'running');
  });
});

describe('while the proxy is not running', async () => {
  let now = Date.parse('2026-06-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());

  it('the instance is not ready until the proxy runs again', async () => {
    const ready = async () => {
      now += 1_000;
      return daemon.send({ path: '/readyz' });
    };
    daemon.proxy.setUnavailable('The proxy cannot listen on :::80 (Address already in use).');
    const { status, text, headers } = await ready();
    daemon.proxy.setUnavailable(null);

    assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
    assert.match(text, /^The proxy is not running.*\.\n$/);
    assert.equal((await ready()).status, 200);
  });
});

describe('while the registry is not running', async () => {
  let now = Date.parse('2026-06-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());

  it('the instance is not ready until the registry runs', async () => {
    const ready = async () => {
      now += 1_000;
      return daemon.send({ path: '/readyz' });
    };
    daemon.registry.setUnavailable('The registry is starting.');
    const { status, text, headers } = await ready();
    daemon.registry.setUnavailable(null);

    assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
    assert.match(text, /^The registry is not running.*\.\n$/);
    assert.equal((await ready()).status, 200);
  });
});

describe('stop of the daemon', () => {
  it('ends a waiting request with status 503 and Retry-After', async () => {
    await using daemon = await bootDaemon();
    const { reference } = await app(daemon);
    const gate = daemon.proxy.gate();
    const path = `/api/apps/${reference}/deploy?wait=true`;
    const headers = { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' };
    const waiting = send({ url: daemon.url }, { method: 'POST', path, headers, body: '{"tag":"v1"}' });
    await gate.entered;

    const stopped = daemon.stop();
    const answer = await waiting;
    gate.open();
    await stopped;

    assert.equal(answer.status, 503);
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(answer.headers.get('connection'), 'close');
  });
});

describe('a client that disconnects', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const problems = () => daemon.log.lines.filter((line) => /"level":"(warn|error)"/.test(line));

  it('does not stop its deployment and causes no error in the log', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.proxy.gate();
    const leaving = new AbortController();
    const path = `/api/apps/${reference}/deploy?wait=true`;
    const headers = { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' };
    const sending = { method: 'POST', path, headers, body: '{"tag":"v1"}', signal: leaving.signal };
    const waiting = send({ url: daemon.url }, sending);
    await gate.entered;

    leaving.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    gate.open();
    await daemon.settled();

    const [deployment] = JSON.parse((await daemon.call('GET', `/api/apps/${reference}/deployments`)).text);
    assert.equal(deployment.status, 'succeeded');
    assert.deepEqual(problems(), []);
  });

  it('changes nothing in the middle of a request body and causes no error in the log', async () => {
    const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
    const head = `Host: a\r\nAuthorization: Bearer ${daemon.key}\r\nContent-Type: application/json\r\nContent-Length: 99`;
    socket.write(`POST /api/projects HTTP/1.1\r\n${head}\r\n\r\n{"slug":"half"`);
    socket.end();
    await once(socket.resume(), 'close');

    assert.equal((await daemon.call('GET', '/api/projects/half')).status, 404);
    assert.deepEqual(problems(), []);
  });
});
