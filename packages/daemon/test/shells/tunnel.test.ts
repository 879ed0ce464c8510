import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { App, Database } from '@davit/api';
import { bootDaemon, database, databaseParams, deployedApp, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { WebSocket } from 'ws';
import { setUserRights } from '../../src/db/tables/user.ts';
import { ShellClient } from '../support/shell-client.ts';

const MOST_OF_USER = 20;

/** TCP server that replaces the programs in all containers. It returns each chunk, and closes after the client. */
class EchoServer {
  readonly sockets = new Set<Socket>();
  readonly server = createServer({ allowHalfOpen: true }, (socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    socket.pipe(socket);
  });

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  allClosed(): Promise<true> {
    return until('all connections to the container are closed', async () => this.sockets.size === 0 || null);
  }
}

describe('a tunnel', () => {
  const echo = new EchoServer();
  let daemon: TestDaemon;
  let made: Database;
  let app: App;
  before(async () => {
    daemon = await bootDaemon({ taskLimits: { readyEveryMs: 1 } });
    made = await database(daemon);
    app = (await deployedApp(daemon)).app;
    const port = await echo.listen();
    for (const inside of [made.port, app.port ?? 0, 9_000]) daemon.engine.controls.listen(inside, port);
  });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    for (const socket of echo.sockets) socket.destroy();
    echo.server.close();
  });

  const toDatabase = (of: Database = made) => `/api/databases/${of.reference}/tunnel`;
  const toApp = (query = '') => `/api/apps/${app.reference}/tunnel${query}`;
  const address = (path: string) => `${daemon.url.replace('http', 'ws')}${path}`;
  const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  async function open(path = toDatabase(), key = daemon.key): Promise<ShellClient> {
    const tunnel = new ShellClient(address(path), withKey(key));
    await once(tunnel.socket, 'open');
    return tunnel;
  }

  async function refusal(path: string, key = daemon.key): Promise<[number, string]> {
    const socket = new WebSocket(address(path), { headers: withKey(key) });
    socket.on('error', () => undefined);
    const [, answer] = await once(socket, 'unexpected-response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    return [answer.statusCode, text];
  }

  it('passes data on in both directions, and the end of each direction', async () => {
    for (const path of [toDatabase(), toApp(), toApp('?port=9000')]) {
      const tunnel = await open(path);
      tunnel.type('some bytes');
      await tunnel.shows(/some bytes/);

      tunnel.end();

      assert.deepEqual(await tunnel.closed, { code: 1000, reason: 'The connection has ended.' });
      assert.deepEqual(tunnel.controls[0], { end: true });
    }
    await echo.allClosed();
  });

  it('closes the connection to the container when the client disconnects', async () => {
    const tunnel = await open();
    tunnel.type('some bytes');
    await tunnel.shows(/some bytes/);

    tunnel.socket.terminate();

    await echo.allClosed();
  });

  it('closes when the connection to the container breaks', async () => {
    const tunnel = await open();
    tunnel.type('some bytes');
    await tunnel.shows(/some bytes/);

    for (const socket of echo.sockets) socket.resetAndDestroy();

    assert.equal((await tunnel.closed).code, 1011);
  });

  it('limits the buffered data if neither side reads', async () => {
    const tunnel = await open();
    tunnel.socket.pause();
    let isStill = false;
    for (let i = 0; i < 10_000 && !isStill; i++) {
      tunnel.socket.send(Buffer.alloc(64 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
      // The daemon and the operating system buffer a part of the data. The rest stays at the client.
      isStill = tunnel.socket.bufferedAmount > 64 * 2 ** 20;
    }

    assert.ok(isStill);
    tunnel.socket.terminate();
    await echo.allClosed();
  });

  it('needs the permission to read secrets for a database, and to operate for an app', async () => {
    const viewer = user(daemon, 'viewer');
    const stranger = user(daemon, 'member', []);
    for (const path of [toDatabase(), toApp()]) {
      assert.equal((await refusal(path, viewer.key))[0], 403);
      assert.equal((await refusal(path, stranger.key))[0], 404);
    }
  });

  const hosts = ['?host=10.0.0.1', '?address=10.0.0.1'];
  for (const query of ['?port=0', '?port=65536', '?port=x', '?refusal=message', ...hosts]) {
    it(`is refused with 400 for ${query}`, async () => {
      assert.equal((await refusal(toApp(query)))[0], 400);
      assert.equal((await refusal(`${toDatabase()}${query}`))[0], 400);
    });
  }

  it('is refused if the database does not run or no program listens', async () => {
    const stopped = await database(daemon);
    await daemon.client.stopDatabase({ params: databaseParams(stopped), query: { wait: 'true' } });

    assert.match((await refusal(toDatabase(stopped))).join(), /^409,.*the database is stopped/);
    assert.match((await refusal(toApp('?port=9001'))).join(), /^409,.*port 9001/);
    assert.match((await refusal(toApp('?replica=nobody'))).join(), /^409,.*Check the name/);
  });

  it('is closed when the user loses the required role', async () => {
    const member = user(daemon, 'member');
    const tunnel = await open(toDatabase(), member.key);

    daemon.core.store.tx((tx) => setUserRights(tx, member.id, 'viewer', null, Date.now()));

    const { code, reason } = await tunnel.closed;
    assert.deepEqual([code, reason], [1008, 'Your session or API key no longer allows access to this tunnel.']);
    await echo.allClosed();
  });

  it('is refused if the user has twenty open tunnels', async () => {
    const member = user(daemon, 'member');
    const tunnels: ShellClient[] = [];
    for (let i = 0; i < MOST_OF_USER; i++) tunnels.push(await open(i % 2 === 0 ? toDatabase() : toApp(), member.key));

    const [status, text] = await refusal(toDatabase(), member.key);

    assert.equal(status, 429);
    assert.match(text, /20 tunnels open/);
    const other = await open();
    for (const tunnel of [...tunnels, other]) {
      tunnel.socket.terminate();
      await tunnel.closed;
    }
    await echo.allClosed();
  });

  it('is recorded in the audit log once', async () => {
    const member = user(daemon, 'member');
    for (const path of [toDatabase(), toApp()]) {
      const tunnel = await open(path, member.key);
      tunnel.end();
      await tunnel.closed;
    }

    const { text } = await daemon.call('GET', '/api/audit?limit=30');
    const { events } = JSON.parse(text) as { events: { actor: string; operation: string; target: string }[] };
    const own = events.filter(({ actor }) => actor === member.username);
    assert.deepEqual(own.map(({ operation, target }) => `${operation} ${target}`).toSorted(), [
      `openAppTunnel ${app.reference}`,
      `openDatabaseTunnel ${made.reference}`,
    ]);
  });
});
