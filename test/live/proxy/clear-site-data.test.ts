/**
 * The proxy removes a header from responses of apps that makes browsers clear cookies, because that would include the
 * cookies of the dashboard.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RawApp, startRawApp } from '../../support/proxy-apps.ts';
import { sendRaw } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';

const NAME = 'Clear-Site-Data';

/**
 * Headers of a response. Browsers clear the cookies of the whole registrable domain, including cookies with `__Host-`.
 */
const CLEARING = [
  ['"cookies"'],
  ['"*"'],
  ['"cache", "cookies"'],
  ['"cookies","storage"'],
  ['"cache"', '"cookies"', '"storage"'],
];

describe('Clear-Site-Data', () => {
  let harness: ProxyHarness;
  let app: RawApp;
  let values: string[];

  before(async () => {
    harness = await ProxyHarness.create();
    const proxy = harness.connect();
    const lines = () => values.map((value) => `${NAME}: ${value}\r\n`).join('');
    app = await startRawApp(() => `HTTP/1.1 200 OK\r\n${lines()}Content-Length: 0\r\n\r\n`);
    const base = tableOf(backend(1, [server(app)]));
    await proxy.ensure(base);
    const ruled = rules({ headers: { [NAME]: '"cookies"' } });
    const hosts = [
      { host: 'app-1.localhost', slot: 1 },
      { host: 'ruled.localhost', slot: 1, rules: ruled },
    ];
    await proxy.sync({ ...base, hosts });
  });
  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  async function arrivedAt(host: string): Promise<string[]> {
    const answer = await sendRaw(harness.port, host, ['Connection: close']);
    return [...answer.matchAll(/^clear-site-data: ?(.*?)\r$/gim)].map(([, value = '']) => value);
  }

  it('is removed from an app’s response if the header clears cookies', async () => {
    for (values of CLEARING) assert.deepEqual(await arrivedAt('app-1.localhost'), [], values.join());
  });

  it('is not sent for a domain rule that clears cookies', async () => {
    values = [];
    assert.deepEqual(await arrivedAt('ruled.localhost'), []);
  });

  it('is kept in an app’s response if the header clears no cookies', async () => {
    values = ['"cache", "storage"'];
    assert.deepEqual(await arrivedAt('app-1.localhost'), values);
  });
});
