/** Client addresses that the proxy reports, behind trusted proxies and others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Proxy, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, type TestApp } from '../../support/proxy-apps.ts';
import { backend, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';
import { send } from '../../support/proxy-load.ts';

const HOST = 'app-1.localhost';
/**
 * Addresses of this machine that represent a load balancer with headers, one with the PROXY protocol, one with both,
 * and a client.
 */
const HEADERS = '127.0.0.2';
const PROXY = '127.0.0.3';
const BOTH = '127.0.0.4';
const CLIENT = '127.0.0.5';

describe('the client address behind other proxies', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    app = await startApp();
    await proxy.ensure(table());
    await proxy.sync(table());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  /**
   * Returns the client addresses that the app gets for a request of a container that claims another address: without
   * trust, then with trust.
   */
  async function claimsOf(container: string, trusted: string): Promise<string[]> {
    const to = (trust: NonNullable<RouteTable['trustedProxies']>) => proxy.sync({ ...table(), trustedProxies: trust });
    await to({ forwardedFor: [trusted], proxyProtocol: [] });
    const claimed = addressIn((await sendFrom(container, '203.0.113.7')).text);
    const hop = addressIn(
      (await sendFrom(trusted.startsWith('127.0.0.0') ? HEADERS : container, `203.0.113.7, ${container}`)).text,
    );
    await to({ forwardedFor: [], proxyProtocol: [trusted] });
    const plain = clientOf(await exchange(container, ''));
    const answer = await exchange(container, 'PROXY TCP4 203.0.113.7 127.0.0.1 5000 80\r\n');
    return [claimed, hop, plain, answer.slice(0, 12)];
  }

  it('is never taken from a container’s claims, even if its network is trusted', async () => {
    const container = '127.0.1.9';
    for (const trusted of ['127.0.0.0/16', '127.0.1.0/24', '127.0.1.8/29', container]) {
      assert.deepEqual(await claimsOf(container, trusted), [container, container, container, 'HTTP/1.1 400'], trusted);
    }
    await proxy.sync(table());
  });

  it('is not taken from container networks of an earlier pool', async () => {
    const labels = { 'davit.instance': harness.davitId, 'davit.kind': 'network' };
    const config = [{ Subnet: '10.199.78.0/24' }];
    const body = { Name: `davit-${harness.davitId}-old`, Driver: 'bridge', IPAM: { Config: config }, Labels: labels };
    const network = `/networks/${body.Name}`;
    await harness.docker.call({ doing: 'create network', method: 'POST', path: '/networks/create', body });
    try {
      await using later = harness.connect();
      await later.ensure(table());

      const text = await readFile(join(harness.dataDir, 'proxy', 'current', 'haproxy.cfg'), 'utf8');

      assert.match(text, /^ {2}acl contained src 127\.0\.1\.0\/24 10\.199\.78\.0\/24$/m);
    } finally {
      await harness.docker.call({ doing: 'remove network', method: 'DELETE', path: network });
    }
  });

  function table(...slots: number[]): RouteTable {
    const base = tableOf(...[1, 2, 3, ...slots].map((slot) => backend(slot, [server(app)])));
    const guarded = {
      'app-2.localhost': rules({ allow: ['203.0.113.7'] }),
      'app-3.localhost': rules({ requestsPerMinute: 1 }),
    };
    return {
      ...base,
      api: { address: '127.0.0.1', port: app.port },
      hosts: base.hosts.map((host) => ({ ...host, rules: guarded[host.host as keyof typeof guarded] })),
      trustedProxies: {
        forwardedFor: [HEADERS, `${BOTH}/32`, '10.0.0.0/8', '2001:db8::/32', ...many()],
        proxyProtocol: [PROXY, BOTH],
      },
    };
  }

  /** Returns the maximum number of trusted addresses, which do not fit into one line of the configuration. */
  function many(): string[] {
    return Array.from({ length: 90 }, (_, n) => `192.0.2.${n}`);
  }

  const sendFrom = (from: string, forwardedFor: string | string[], host = HOST, agent: Agent | false = false) => {
    const headers = { 'x-forwarded-for': forwardedFor } as Record<string, string>;
    return send({ port: harness.port, host, headers, agent, localAddress: from });
  };

  function addressIn(text: string): string {
    const { headers } = JSON.parse(text) as { headers: Record<string, string> };
    assert.equal(headers['x-forwarded-for'], headers['x-real-ip']);
    return headers['x-forwarded-for'] ?? '';
  }

  it('is the connection’s address if no trusted proxy is connected', async () => {
    for (const said of ['203.0.113.7', `203.0.113.7, ${HEADERS}`, HEADERS]) {
      assert.equal(addressIn((await sendFrom(CLIENT, said)).text), CLIENT);
    }
  });

  it('is the rightmost address that does not belong to a trusted proxy', async () => {
    const said: [header: string | string[], client: string][] = [
      ['203.0.113.7', '203.0.113.7'],
      ['6.6.6.6, 203.0.113.7', '203.0.113.7'],
      ['6.6.6.6,203.0.113.7 , 10.1.2.3,\t192.0.2.89', '203.0.113.7'],
      [['203.0.113.7', '10.9.9.9'], '203.0.113.7'],
      ['6.6.6.6, 2001:DB9::1, 2001:db8::7', '2001:db9::1'],
      ['6.6.6.6, ::ffff:203.0.113.7', '203.0.113.7'],
      ['203.0.113.7:5000, [2001:db8::1]:443', '203.0.113.7'],
      ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
      ['', HEADERS],
      ['203.0.113.7, unknown', HEADERS],
      ['203.0.113.7, 10.0.0.2/8, 10.0.0.3', '10.0.0.3'],
      ['203.0.113.7, "10.0.0.2"', HEADERS],
      ['203.0.113.7, localhost', HEADERS],
      [`6.6.6.6, ${Array(1_000).fill('10.0.0.1').join(', ')}`, '10.0.0.1'],
    ];
    for (const [header, client] of said) {
      assert.equal(addressIn((await sendFrom(HEADERS, header)).text), client, JSON.stringify(header).slice(0, 80));
    }
  });

  it('is used by domain rules and passed to the dashboard and the API', async () => {
    const allowed = async (from: string, said: string) => (await sendFrom(from, said, 'app-2.localhost')).status;
    const paced = async (said: string) => (await sendFrom(HEADERS, said, 'app-3.localhost')).status;

    assert.equal(await allowed(HEADERS, '6.6.6.6, 203.0.113.7'), 200);
    assert.equal(await allowed(HEADERS, '203.0.113.7, 6.6.6.6'), 403);
    assert.equal(await allowed(CLIENT, '203.0.113.7'), 403);
    assert.deepEqual(
      [await paced('1.1.1.1'), await paced('2.2.2.2'), await paced('3.3.3.3, 1.1.1.1')],
      [200, 200, 429],
    );
    assert.equal(addressIn((await sendFrom(HEADERS, '203.0.113.7', 'localhost')).text), '203.0.113.7');
    assert.equal(addressIn((await sendFrom(CLIENT, '203.0.113.7', 'localhost')).text), CLIENT);
  });

  it('is separate for each request on a shared connection, even while a worker stops', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const client = async (said: string) => addressIn((await sendFrom(HEADERS, said, HOST, agent)).text);

    assert.deepEqual([await client('1.1.1.1'), await client('2.2.2.2')], ['1.1.1.1', '2.2.2.2']);
    assert.equal((await proxy.sync(table(20))).reloaded, true);
    assert.equal(await client('6.6.6.6, 3.3.3.3'), '3.3.3.3');
    agent.destroy();
  });

  /**
   * Sends bytes from an address, with TLS after the first line if `secure` is set. Returns all received text until the
   * connection closes.
   */
  async function exchange(from: string, first: string, headers = '', secure = false): Promise<string> {
    const plain = connect({ host: '127.0.0.1', port: secure ? harness.httpsPort : harness.port, localAddress: from });
    plain.on('error', () => undefined);
    await once(plain, 'connect');
    if (first !== '') plain.write(first);
    const socket = secure ? connectTls({ socket: plain, servername: HOST, rejectUnauthorized: false }) : plain;
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\nhost: ${HOST}\r\nconnection: close\r\n${headers}\r\n`);
    // A refused connection may be reset, which also ends it.
    await new Promise((resolve) => socket.on('close', resolve));
    return text;
  }

  const clientOf = (text: string) => addressIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

  it('is taken from the PROXY protocol only if the sender is trusted', async () => {
    const four = 'PROXY TCP4 198.51.100.9 127.0.0.1 5000 80\r\n';
    const mapped = 'PROXY TCP6 ::ffff:198.51.100.9 ::1 5000 80\r\n';
    const header = 'x-forwarded-for: 203.0.113.7\r\n';

    assert.equal(clientOf(await exchange(PROXY, four)), '198.51.100.9');
    assert.equal(clientOf(await exchange(PROXY, mapped)), '198.51.100.9');
    assert.equal(clientOf(await exchange(PROXY, four, '', true)), '198.51.100.9');
    assert.equal(clientOf(await exchange(PROXY, four, header)), '198.51.100.9');
    assert.equal(clientOf(await exchange(BOTH, `PROXY TCP4 10.1.1.1 127.0.0.1 1 80\r\n`, header)), '203.0.113.7');
    assert.equal(await exchange(PROXY, ''), '');
    assert.match(await exchange(HEADERS, four), /^HTTP\/1\.1 400 /);
    assert.match(await exchange(CLIENT, four), /^HTTP\/1\.1 400 /);
  });
});
