/** The client of other registries and the gateway from which the engine pulls, over real connections. */

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { request, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import { createSecureContext } from 'node:tls';
import { type AddressRule, isPublicAddress } from '@davit/service';
import { patience, until } from '@davit/testkit/waiting';
import { ConnectionRules } from '../../src/adapters/registry/remote/connection-rules.ts';
import { Gateway, type Session } from '../../src/adapters/registry/remote/gateway.ts';
import { RemoteRegistry } from '../../src/adapters/registry/remote/remote-registry.ts';
import { demandBlob, type OpenBlob } from '../../src/adapters/registry/remote/verified.ts';
import { FakeRegistry, sha256 } from '../support/fake-registry.ts';
import { type MadeCertificate, makeCertificate } from '../support/make-certificate.ts';

const AUTH = { username: 'ada', password: 'stored-password-9d1' };
const BASIC = `Basic ${Buffer.from(`${AUTH.username}:${AUTH.password}`).toString('base64')}`;
const DIGEST = `sha256:${'0'.repeat(64)}`;
const signal = () => patience();

let certificate: MadeCertificate;
let plain: FakeRegistry;
let secure: FakeRegistry;
let other: FakeRegistry;
let listed: string[];

before(async () => {
  certificate = await makeCertificate(['localhost'], {
    isAuthority: true,
    others: [{ type: 'ip', value: '127.0.0.2' }],
  });
});
beforeEach(async () => {
  [plain, secure, other] = await Promise.all([
    FakeRegistry.start(),
    FakeRegistry.start(certificate),
    FakeRegistry.start(certificate),
  ]);
  listed = [plain.host, secure.host];
});
afterEach(async () => {
  await Promise.all([plain, secure, other].map((registry) => registry[Symbol.asyncDispose]()));
});

function rules(isOpen: AddressRule = isPublicAddress): ConnectionRules {
  return new ConnectionRules({
    isOpen,
    containers: '10.208.0.0/12',
    privateHosts: () => listed,
    trust: () => createSecureContext({ ca: certificate.certificate }),
  });
}

function client(
  registry: FakeRegistry,
  auth: typeof AUTH | null = null,
  host = registry.host,
  by = rules(),
): RemoteRegistry {
  return new RemoteRegistry({ host, repository: 'acme/web', auth, rules: by });
}

const blobsAt =
  (registry: FakeRegistry): OpenBlob =>
  (digest, by) =>
    client(registry).blob(digest, { signal: by });

const refusedAs = (code: string) => (error: { code?: string }) => {
  assert.equal(error.code, code, String(error));
  return true;
};

describe('the client of other registries', () => {
  it('reports an interrupted layer or token response as registry_unreachable', async () => {
    const { layer } = secure.add('acme/web', 'v1', '0123456789');
    const breakOff: FakeRegistry['handler'] = (_, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('0123', () => response.destroy());
    secure.handler = breakOff;
    await assert.rejects(demandBlob(blobsAt(secure), { digest: layer, size: 10 }, signal()), {
      ...{ name: 'RemoteProblem', code: 'registry_unreachable' },
    });
    secure.handler = (_, response) => {
      response.setHeader('www-authenticate', `Bearer realm="https://${secure.host}/token"`).writeHead(401).end();
      secure.handler = breakOff;
      return true;
    };
    await assert.rejects(client(secure).digestOf('v1', signal()), { code: 'registry_unreachable' });
  });

  it('rejects with the abort reason of its signal during a layer download', async () => {
    const { layer } = secure.add('acme/web', 'v1', '0123456789');
    const stopping = new AbortController();
    const reason = new Error('stopping');
    secure.handler = (_, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('0123', () => setImmediate(() => stopping.abort(reason)));
    const got = await demandBlob(blobsAt(secure), { digest: layer, size: 10 }, stopping.signal).catch(
      (error: unknown) => error,
    );
    assert.equal(got, reason);
  });

  it('reads digests, manifests and layers over TLS, and over plain HTTP on loopback', async () => {
    for (const registry of [plain, secure]) {
      const { digest, layer } = registry.add('acme/web', 'v1', 'bytes');
      assert.equal(await client(registry).digestOf('v1', signal()), digest);
      assert.equal(sha256((await client(registry).manifest(digest, signal())).bytes), digest);
      const answer = await client(registry).blob(layer, { signal: signal() });
      assert.equal((await answer.toArray()).join(''), 'bytes');
    }
  });

  it('connects to no private address outside the list and sends no requests there', async () => {
    listed = [];
    for (const registry of [plain, secure]) {
      for (const host of [registry.host, `127.0.0.1:${registry.port}`, `127.9.9.9:${registry.port}`])
        await assert.rejects(client(registry, AUTH, host).digestOf('v1', signal()), refusedAs('registry_not_public'));
      assert.deepEqual(registry.requests, []);
    }
    for (const host of ['169.254.169.254', '10.0.0.1:5000', '192.168.1.1', '0.0.0.0', 'registry.invalid'])
      await assert.rejects(client(plain, AUTH, host).digestOf('v1', signal()), refusedAs('registry_not_public'));
  });

  it('refuses a registry immediately after its removal from the list', async () => {
    plain.add('acme/web', 'v1', 'bytes');
    const registry = client(plain);
    await registry.digestOf('v1', signal());
    listed = [];
    await assert.rejects(registry.digestOf('v1', signal()), refusedAs('registry_not_public'));
  });

  it('refuses a host name that resolves to another address after the check', async () => {
    await using inside = await FakeRegistry.start(null, { address: '127.0.0.2', port: plain.port });
    inside.add('acme/web', 'v1', 'secret');
    plain.add('acme/web', 'v1', 'bytes');
    // Plain HTTP is allowed for listed names. A listed name must not allow other names of its address.
    listed = ['127.0.0.1/32', `http://other.test:${plain.port}`];
    let address = '127.0.0.1';
    const lookup = mock.method(dns, 'lookup', (_: string, __: object, done: (e: null, found: object[]) => void) =>
      done(null, [{ address, family: 4 }]),
    );
    syncBuiltinESMExports();
    try {
      const registry = new RemoteRegistry({
        host: `rebound.test:${plain.port}`,
        repository: 'acme/web',
        auth: AUTH,
        rules: Object.assign(rules(), { allowsPlain: () => true }),
      });
      await registry.digestOf('v1', signal());
      address = '127.0.0.2';
      await assert.rejects(registry.digestOf('v1', signal()), refusedAs('registry_not_public'));
      assert.deepEqual(inside.requests, []);
    } finally {
      lookup.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('follows no redirect to an unlisted private address or away from TLS', async () => {
    for (const location of [
      `https://localhost:${other.port}/v2/secret`,
      `https://127.0.0.1:${other.port}/v2/secret`,
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:127.0.0.1]/x',
      'https://0x7f000001/x',
    ]) {
      secure.handler = (_, response) => !!response.writeHead(307, { location }).end();
      await assert.rejects(client(secure).digestOf('v1', signal()), refusedAs('registry_not_public'), location);
    }
    for (const location of [`http://localhost:${plain.port}/`, 'ftp://r.example/', 'https://u:p@r.example/', '//:']) {
      secure.handler = (_, response) => !!response.writeHead(302, { location }).end();
      await assert.rejects(client(secure).digestOf('v1', signal()), refusedAs('registry_answer_invalid'), location);
    }
    assert.deepEqual([other.requests, plain.requests], [[], []]);
  });

  it('sends no credentials after a redirect to another origin', async () => {
    listed.push(other.host);
    const { layer } = other.add('acme/web', 'v1', 'bytes');
    secure.handler = ({ headers, url }, response) => {
      if (headers.authorization !== BASIC) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else response.writeHead(307, { location: `https://${other.host}${url}` }).end();
      return true;
    };
    const answer = await client(secure, AUTH).blob(layer, { signal: signal() });
    assert.equal((await answer.toArray()).join(''), 'bytes');
    assert.deepEqual(
      other.requests.map(({ authorization }) => authorization),
      [undefined],
    );
  });

  it('answers no authentication challenge of a redirect target', async () => {
    listed.push(other.host);
    secure.handler = ({ url }, response) =>
      !!response.writeHead(307, { location: `https://${other.host}${url}` }).end();
    other.handler = (_, response) => !!response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    await assert.rejects(client(secure, AUTH).digestOf('v1', signal()), refusedAs('registry_unauthorized'));
    assert.ok(other.requests.every(({ authorization }) => authorization === undefined));
  });

  it('requests a token from the service of the registry with the registry credentials', async () => {
    listed.push(other.host);
    const { digest } = secure.add('acme/web', 'v1', 'bytes');
    const challenge = `Bearer realm="https://${other.host}/token",service="s",scope="repository:other/secret:pull,push"`;
    secure.handler = ({ headers }, response) => {
      if (headers.authorization === 'Bearer t-1') return false;
      return !!response.writeHead(401, { 'www-authenticate': challenge }).end();
    };
    other.handler = (_, response) => !!response.end(JSON.stringify({ token: 't-1' }));

    assert.equal(await client(secure, AUTH).digestOf('v1', signal()), digest);

    const [tokenRequest] = other.requests;
    assert.equal(tokenRequest?.authorization, BASIC);
    const { searchParams } = new URL(tokenRequest?.path ?? '', 'https://x');
    assert.deepEqual(
      [...searchParams].filter(([name]) => name !== 'account'),
      [
        ['service', 's'],
        ['scope', 'repository:acme/web:pull'],
      ],
    );
  });

  it('requests no token from an unlisted private or insecure token service', async () => {
    for (const [realm, code] of [
      [`https://localhost:${other.port}/token`, 'registry_not_public'],
      [`https://127.0.0.1:${other.port}/token`, 'registry_not_public'],
      ['https://169.254.169.254/token', 'registry_not_public'],
      [`http://localhost:${plain.port}/token`, 'registry_answer_invalid'],
      ['http://auth.example/token', 'registry_answer_invalid'],
      [`https://me:pw@localhost:${other.port}/token`, 'registry_answer_invalid'],
      ['file:///etc/passwd', 'registry_answer_invalid'],
      ['token', 'registry_answer_invalid'],
    ] as const) {
      const challenge = `Bearer realm="${realm}",service="s"`;
      secure.handler = (_, response) => !!response.writeHead(401, { 'www-authenticate': challenge }).end();
      await assert.rejects(client(secure, AUTH).digestOf('v1', signal()), refusedAs(code), realm);
    }
    assert.deepEqual([other.requests, plain.requests], [[], []]);
  });

  describe('with a registry at a public address', () => {
    const PUBLIC = '127.0.0.2';
    let registry: FakeRegistry;
    let to: RemoteRegistry;
    beforeEach(async () => {
      registry = await FakeRegistry.start(certificate, { address: PUBLIC, port: 0 });
      to = client(
        registry,
        AUTH,
        `${PUBLIC}:${registry.port}`,
        rules((address) => address === PUBLIC),
      );
      // The registry is listed by its name, its address and its network.
      listed = [other.host, `127.0.0.1:${other.port}`, '127.0.0.1/32'];
      other.handler = (_, response) => !!response.end(JSON.stringify({ token: 't-1' }));
    });
    afterEach(() => registry[Symbol.asyncDispose]());

    const targets = () => [`https://localhost:${other.port}/x`, `https://127.0.0.1:${other.port}/x`];

    it('refuses a token service in the private network even if listed', async () => {
      for (const realm of targets()) {
        const challenge = `Bearer realm="${realm}",service="s"`;
        registry.handler = (_, response) => !!response.writeHead(401, { 'www-authenticate': challenge }).end();
        await assert.rejects(to.digestOf('v1', signal()), refusedAs('registry_not_public'), realm);
        await assert.rejects(to.check(signal()), refusedAs('registry_not_public'), realm);
      }
      assert.deepEqual(other.requests, []);
    });

    it('refuses a redirect into the private network even if listed', async () => {
      for (const location of targets()) {
        registry.handler = (_, response) => !!response.writeHead(307, { location }).end();
        await assert.rejects(to.digestOf('v1', signal()), refusedAs('registry_not_public'), location);
        await assert.rejects(to.blob(DIGEST, { signal: signal() }), refusedAs('registry_not_public'), location);
      }
      assert.deepEqual(other.requests, []);
    });

    it('does not treat the registry as private after a connection reset', async () => {
      const challenge = `Bearer realm="${targets()[0]}"`;
      for (const [status, headers] of [
        [307, { location: targets()[0] }],
        [401, { 'www-authenticate': challenge }],
      ] as const) {
        registry.handler = (_, response) => {
          response.writeHead(status, { ...headers, 'content-length': 0 });
          response.end(() => registry.reset());
          return true;
        };
        // The reset may also arrive before the response was read.
        for (let n = 0; n < 5; n++)
          await assert.rejects(to.digestOf('v1', signal()), { code: /^registry_(not_public|unreachable)$/ });
      }
      assert.deepEqual(other.requests, []);
    });

    it('refuses indirect redirects into the private network through a token service or public address', async () => {
      const [location = ''] = targets();
      const own = `https://${PUBLIC}:${registry.port}`;
      const challenge = `Bearer realm="${own}/token"`;
      registry.handler = ({ url }, response) => {
        if (url?.startsWith('/token')) return !!response.writeHead(307, { location }).end();
        return !!response.writeHead(401, { 'www-authenticate': challenge }).end();
      };
      await assert.rejects(to.digestOf('v1', signal()), refusedAs('registry_not_public'));
      registry.handler = ({ url }, response) =>
        !!response.writeHead(307, { location: url === '/hop' ? location : `${own}/hop` }).end();
      await assert.rejects(to.digestOf('v1', signal()), refusedAs('registry_not_public'));
      assert.deepEqual(other.requests, []);
    });

    it('refuses a redirect into the private network after a redirect from a listed registry', async () => {
      listed = [secure.host, other.host];
      secure.handler = (_, response) =>
        !!response.writeHead(307, { location: `https://${PUBLIC}:${registry.port}/hop` }).end();
      registry.handler = (_, response) => !!response.writeHead(307, { location: targets()[0] }).end();
      const by = rules((address) => address === PUBLIC);
      await assert.rejects(
        client(secure, AUTH, secure.host, by).digestOf('v1', signal()),
        refusedAs('registry_not_public'),
      );
      assert.ok(registry.requests.length > 0);
      assert.deepEqual(other.requests, []);
    });
  });

  it('sends credentials of a registry without TLS to no token service', async () => {
    listed.push(other.host);
    const challenge = `Bearer realm="https://${other.host}/token",service="s"`;
    plain.handler = ({ url }, response) =>
      url === '/v2/' ? false : !!response.writeHead(401, { 'www-authenticate': challenge }).end();
    await assert.rejects(client(plain, AUTH).digestOf('v1', signal()), refusedAs('registry_answer_invalid'));
    assert.deepEqual(other.requests, []);
  });

  it('maps each failure of a registry to an error code', async () => {
    for (const [status, code] of [
      [404, 'image_not_found'],
      [403, 'registry_unauthorized'],
      [401, 'registry_unauthorized'],
      [429, 'registry_rate_limited'],
      [500, 'registry_unreachable'],
      [418, 'registry_answer_invalid'],
    ] as const) {
      secure.handler = (_, response) => !!response.writeHead(status).end('text');
      await assert.rejects(client(secure).digestOf('v1', signal()), refusedAs(code));
    }
    secure.handler = ({ socket }) => !!socket.destroy();
    await assert.rejects(client(secure).digestOf('v1', signal()), refusedAs('registry_unreachable'));
  });

  it('refuses a manifest with wrong content, excessive size or external layer URLs', async () => {
    const { digest } = secure.add('acme/web', 'v1', 'bytes');
    const layer = { mediaType: 'x', size: 1, digest: sha256(Buffer.from('x')), urls: ['http://10.0.0.1/x'] };
    const elsewhere = secure.add('acme/web', 'v2', 'bytes', { layers: [layer] });
    await assert.rejects(client(secure).manifest(elsewhere.digest, signal()), refusedAs('registry_answer_invalid'));
    const old = secure.add('acme/web', 'v3', 'bytes', {
      mediaType: 'application/vnd.docker.distribution.manifest.v1+json',
    });
    await assert.rejects(client(secure).manifest(old.digest, signal()), refusedAs('registry_answer_invalid'));
    for (const body of [Buffer.from('{}'), Buffer.alloc(5 * 1024 * 1024, ' '), Buffer.from('no json')]) {
      secure.handler = (_, response) => !!response.end(body);
      await assert.rejects(client(secure).manifest(digest, signal()), refusedAs('registry_answer_invalid'));
    }
  });
});

describe('the pull gateway', () => {
  let gateway: Gateway;
  let port: number | null = null;
  const remember = (next: number) => {
    port = next;
  };
  before(() => {
    gateway = new Gateway({ remembered: () => port, remember });
  });
  after(() => gateway[Symbol.asyncDispose]());

  async function send(session: Session, path: string, given: { method?: string; range?: string; basic?: string } = {}) {
    const { username, password } = session.auth;
    const authorization = given.basic ?? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const headers = { authorization, ...(given.range && { range: given.range }) };
    request({ host: '127.0.0.1', port: port ?? 0, path, method: given.method ?? 'GET', headers }, async (answer) => {
      const text = (await answer.toArray().catch(() => ['broke off'])).join('');
      resolve({ status: answer.statusCode ?? 0, text });
    })
      .on('error', reject)
      .end();
    return promise;
  }

  it('serves one repository by digest to one pull until the pull ends', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', 'bytes');
    const session = await gateway.open('davit-x/r/acme/web', client(secure), digest);
    const at = '/v2/davit-x/r/acme/web';

    assert.equal((await send(session, '/v2/')).status, 200);
    assert.equal(sha256(Buffer.from((await send(session, `${at}/manifests/${digest}`)).text)), digest);
    assert.deepEqual(await send(session, `${at}/blobs/${layer}`), { status: 200, text: 'bytes' });
    for (const [path, given, status] of [
      ['/v2/', { basic: 'Basic eDp5' }, 401],
      ['/v2/', { basic: '' }, 401],
      [`${at}/manifests/v1`, {}, 404],
      [`${at}/blobs/uploads/`, { method: 'POST' }, 405],
      [`${at}/manifests/${digest}`, { method: 'DELETE' }, 405],
      [`/v2/davit-x/r/acme/other/manifests/${digest}`, {}, 404],
      [`/v2/davit-x/r/acme/web/../other/manifests/${digest}`, {}, 404],
      ['/v2/_catalog', {}, 404],
    ] as const) {
      assert.equal((await send(session, path, given)).status, status, path);
    }
    session[Symbol.dispose]();
    assert.equal((await send(session, '/v2/')).status, 401);
  });

  it('aborts a pull if a layer is redirected into the private network', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', 'bytes');
    other.handler = (_, response) => !!response.end('SECRET');
    secure.handler = ({ url }, response) => {
      if (!url?.includes('/blobs/')) return false;
      return !!response.writeHead(307, { location: `https://${other.host}/secret` }).end();
    };
    using session = await gateway.open('davit-x/r/acme/web', client(secure), digest);
    assert.equal((await send(session, `/v2/davit-x/r/acme/web/manifests/${digest}`)).status, 200);

    const { status, text } = await send(session, `/v2/davit-x/r/acme/web/blobs/${layer}`);

    assert.deepEqual([status, text.includes('SECRET'), other.requests], [503, false, []]);
    assert.equal(session.problem()?.code, 'registry_not_public');
    assert.equal(session.signal.aborted, true);
  });

  it('lets the engine resume an interrupted layer download', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', '0123456789');
    let isFirst = true;
    secure.handler = ({ headers, url }, response) => {
      if (!url?.includes('/blobs/')) return false;
      if (isFirst) {
        isFirst = false;
        response.writeHead(200, { 'content-length': 10 }).write('0123', () => response.destroy());
        return true;
      }
      assert.equal(headers.range, 'bytes=4-');
      return !!response.writeHead(206, { 'content-range': 'bytes 4-9/10', 'content-length': 6 }).end('456789');
    };
    using session = await gateway.open('davit-x/r/acme/web', client(secure), digest);
    const path = `/v2/davit-x/r/acme/web/blobs/${layer}`;

    assert.equal((await send(session, path)).text, 'broke off');
    assert.equal(session.signal.aborted, false);
    assert.deepEqual(await send(session, path, { range: 'bytes=4-' }), { status: 206, text: '456789' });
    assert.equal(session.sent.has(layer), false);
  });

  it('counts a layer as downloaded only after one complete response', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', '0123456789');
    let body = '0123';
    secure.handler = ({ url }, response) => !!url?.includes('/blobs/') && !!response.writeHead(200).end(body);
    using session = await gateway.open('davit-x/r/acme/web', client(secure), digest);
    const path = `/v2/davit-x/r/acme/web/blobs/${layer}`;

    await send(session, path);
    body = '0123456789';
    await send(session, path, { range: 'bytes=4-' });
    assert.equal(session.sent.has(layer), false);
    await send(session, path);
    assert.equal(session.sent.has(layer), true);
  });

  it('aborts a pull for an oversized layer or a layer outside of the manifest', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', '0123456789');
    secure.handler = ({ url }, response) => url?.includes('/blobs/') === true && !!response.end('0123456789…');
    using session = await gateway.open('davit-x/r/acme/web', client(secure), digest);

    const { text } = await send(session, `/v2/davit-x/r/acme/web/blobs/${layer}`).catch(() => ({ text: 'broke off' }));
    assert.equal(text, 'broke off');
    assert.equal(session.problem()?.code, 'registry_answer_invalid');
    assert.equal(session.signal.aborted, true);
    using next = await gateway.open('davit-x/r/acme/web', client(secure), digest);
    assert.equal((await send(next, `/v2/davit-x/r/acme/web/blobs/${DIGEST}`)).status, 503);
    assert.equal(next.problem()?.code, 'registry_answer_invalid');
  });

  it('limits the manifests that one pull can read', async () => {
    const filling = 'x'.repeat(3 * 1024 * 1024);
    const manifests = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
      ...{ digest: secure.add('acme/web', name, name, { annotations: { name, filling } }).digest, size: 1 },
    }));
    const { digest } = secure.add('acme/web', 'index', 'index', { config: undefined, layers: undefined, manifests });
    using session = await gateway.open('davit-x/r/acme/web', client(secure), digest);

    await assert.rejects(
      session.tree.find(() => false, signal()),
      { code: 'registry_answer_invalid' },
    );
    const manifestRequests = secure.requests.filter(({ path }) => path.includes('/manifests/'));
    assert.ok(manifestRequests.length <= manifests.length, `${manifestRequests.length}`);
  });

  it('downloads at most three layers of a project at a time without delaying other projects', async () => {
    const { digest, layer } = secure.add('acme/web', 'v1', 'bytes');
    const held: ServerResponse[] = [];
    secure.handler = ({ url }, response) => url?.includes('/blobs/') === true && held.push(response) > 0;
    const openFor = (project: number) => gateway.open('davit-x/r/acme/web', client(secure), digest, project);
    using slow = await openFor(1);
    using waiting = await openFor(1);
    using others = await openFor(2);
    const path = `/v2/davit-x/r/acme/web/blobs/${layer}`;
    const holds = (count: number) => until(`${count} layers are requested`, () => held.length === count);
    const first = [1, 2, 3].map(() => send(slow, path));
    await holds(3);

    const [fourth, fifth, other] = [send(slow, path), send(waiting, path), send(others, path)];
    await holds(4);
    held[3]?.end('bytes');
    assert.equal((await other).status, 200);
    waiting[Symbol.dispose]();
    await assert.rejects(fifth, { code: 'ECONNRESET' });
    assert.equal(held.length, 4);

    for (const response of held.slice(0, 3)) response.end('bytes');
    await holds(5);
    held[4]?.end('bytes');
    for (const { status, text } of await Promise.all([...first, fourth]))
      assert.deepEqual([status, text], [200, 'bytes']);
    assert.equal(slow.problem(), null);
  });

  it('keeps its port after a restart if the port is free', async () => {
    const before = port;
    await gateway[Symbol.asyncDispose]();
    gateway = new Gateway({ remembered: () => port, remember });
    (await gateway.open('a/b', client(secure), DIGEST))[Symbol.dispose]();
    assert.equal(port, before);
  });
});
