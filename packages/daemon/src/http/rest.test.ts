import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { REST_MS, Rests } from './rest.ts';

describe('a client connection', () => {
  /**
   * Returns how many of two requests on one connection are read before the pause ends. Checks that both are read at the
   * end.
   */
  async function readOf(headers: Record<string, string>, t: TestContext) {
    let now = 0;
    const rests = new Rests(() => now);
    const paths: string[] = [];
    await using server = createServer((incoming, outgoing) => {
      paths.push(incoming.url ?? '');
      if (incoming.url !== '/other') rests.begin(incoming, outgoing);
      outgoing.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (path: string, over: Agent | false) => {
      const [response] = (await once(get({ port, path, agent: over, headers }), 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    };
    t.mock.timers.enable({ apis: ['setInterval'] });
    await send('/first', agent);
    await new Promise(setImmediate);
    const second = send('/second', agent);
    for (let i = 0; i < 5; i++) await send('/other', false);
    const read = paths.filter((path) => path !== '/other');
    t.mock.timers.tick(1_000);
    assert.deepEqual(
      paths.filter((path) => path !== '/other'),
      read,
    );
    now = REST_MS;
    t.mock.timers.tick(1_000);
    await second;
    agent.destroy();
    assert.ok(paths.includes('/second'));
    return read;
  }

  it('is read again only after its pause, while other connections are read immediately', async (t) => {
    assert.deepEqual(await readOf({}, t), ['/first']);
  });

  it('is read without a pause if the proxy opened the connection', async (t) => {
    assert.deepEqual(await readOf({ 'x-forwarded-for': '192.0.2.1' }, t), ['/first', '/second']);
  });
});
