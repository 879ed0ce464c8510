/**
 * A server that responds with `101 Switching Protocols`. Node reports no error for a request without an upgrade.
 * Servers with addresses from users must not block work of the instance.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDockerClient } from '../../src/adapters/engine/docker/client/client.ts';
import { probeHttp } from '../../src/adapters/engine/docker/programs/probe.ts';
import { RegistryClient } from '../../src/adapters/registry/distribution/client.ts';
import { ConnectionRules } from '../../src/adapters/registry/remote/connection-rules.ts';
import { RemoteRegistry } from '../../src/adapters/registry/remote/remote-registry.ts';
import { readAnswer } from '../../src/resources/certificates/probe.ts';
import { S3ObjectClient } from '../../src/resources/object-stores/s3-client.ts';
import { fetchBounded } from '../../src/resources/templates/catalog/fetch-bounded.ts';
import { publicFetch } from '../../src/resources/templates/catalog/public-fetch.ts';

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';

describe('a server that responds with 101 Switching Protocols', () => {
  let server: Server;
  let port: number;
  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.write(SWITCHED));
      // If a client waits without a connection, only this client keeps the test alive, and the test fails.
      socket.unref();
    });
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => void server.close());

  const never = new AbortController().signal;
  const bounds = { who: 'It', mostBytes: 1024, types: null, timeoutMs: 600_000, accept: '*/*' };

  it('is refused as an image registry', async () => {
    const rules = new ConnectionRules({
      isOpen: () => true,
      containers: '10.208.0.0/12',
      privateHosts: () => [`http://localhost:${port}`],
    });
    const registry = new RemoteRegistry({ host: `localhost:${port}`, repository: 'acme/web', auth: null, rules });

    await assert.rejects(registry.digestOf('v1', never), { code: 'registry_unreachable' });
    await assert.rejects(registry.blob(`sha256:${'0'.repeat(64)}`, { signal: never }), {
      code: 'registry_unreachable',
    });
  });

  it('is refused as the registry of the instance', async () => {
    const client = new RegistryClient({ url: () => `http://127.0.0.1:${port}`, timeoutMs: 600_000 });
    await assert.rejects(client.repositories(), { name: 'RegistryUnavailable' });
  });

  it('is refused as a source of templates', async () => {
    const url = `http://127.0.0.1:${port}/template.yaml`;
    for (const fetcher of [publicFetch(() => true), fetch])
      await assert.rejects(fetchBounded(url, bounds, fetcher), { code: 'catalog_unavailable' });
  });

  it('is refused as an object store', async () => {
    const keys = { accessKey: 'access-key', secretKey: 'secret-key' };
    const storeLocation = {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu',
      pathStyle: true,
      limit: null,
      isOpen: () => true,
      ...keys,
    };
    using client = new S3ObjectClient(storeLocation);
    const body = async function* () {
      yield Buffer.from('text');
    };

    for (const work of [
      () => client.listBuckets(),
      () => client.get('pictures', 'key'),
      () => client.put('pictures', 'key', body()),
      () => client.delete('pictures', 'key'),
    ])
      await assert.rejects(work, { kind: 'unreachable', message: /does not respond like an object store/ });
  });

  it('is not detected as an instance with a default host', async () => {
    assert.equal(await readAnswer({ address: '127.0.0.1', port, host: 'a.example.com', path: '/' }, never), null);
  });

  it('fails the HTTP readiness probe of a release', async () => {
    const probe = { kind: 'http', port, path: '/', timeoutMs: 600_000 } as const;
    assert.deepEqual(await probeHttp('127.0.0.1', probe), {
      ok: false,
      reason: 'the connection ended without an HTTP response',
    });
  });

  it('is reported as an unavailable engine', async () => {
    await using client = createDockerClient(`tcp://127.0.0.1:${port}`);
    await assert.rejects(client.call({ doing: 'ask for the engine info', path: '/info' }), {
      name: 'EngineUnavailable',
    });
  });
});
