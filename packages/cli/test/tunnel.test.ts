/**
 * Tests tunnels from local ports to databases and apps. A TCP server of the test replaces the programs in the
 * containers.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { app, database, databaseParams, deployedApp, user } from '@davit/testkit';
import { type Ran, withDavit } from './support/davit.ts';

const on = withDavit();

describe('davit tunnel', () => {
  const echo = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined).pipe(socket));
  before(async () => {
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    for (const port of [5_432, 8_080, 9_000]) {
      on.daemon.engine.controls.listen(port, (echo.address() as AddressInfo).port);
    }
  });
  after(() => echo.close());

  /** Runs the command, calls `act` with the local port, and then cancels the command. */
  async function through(args: string[], act: (port: number, stdout: string) => Promise<void>): Promise<Ran> {
    const leave = new AbortController();
    const listening = Promise.withResolvers<{ port: number; stdout: string }>();
    const onOutput = (said: string) => {
      const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port !== undefined) listening.resolve({ port: Number(port), stdout: said });
    };
    const running = on.davit.run(['tunnel', ...args], { signal: leave.signal, onOutput });
    void running.then(({ stderr }) => listening.reject(new Error(stderr)));
    const { port, stdout } = await listening.promise;
    try {
      await act(port, stdout);
    } finally {
      leave.abort();
    }
    return running;
  }

  async function connected(port: number): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return socket;
  }

  async function echoes(port: number, bytes: string): Promise<void> {
    const socket = await connected(port);
    socket.end(bytes);
    assert.equal(await text(socket), bytes);
  }

  it('prints the URL of a database without its password, and passes every byte on', async () => {
    const made = await database(on.daemon, { password: 'correct-horse-46' });

    const ran = await through([made.reference], async (port, stdout) => {
      const url = `postgresql://${made.username}@127.0.0.1:${port}/${made.database}?sslmode=require`;
      assert.equal(stdout, `Listening on 127.0.0.1:${port}: ${url}\n`);
      await Promise.all([echoes(port, 'one'), echoes(port, 'a word '.repeat(300_000)), echoes(port, '')]);
    });

    assert.equal(ran.code, 130);
    assert.match(ran.stderr, /davit database credentials/);
    assert.ok(!(ran.stdout + ran.stderr).includes('correct-horse-46'));
  });

  it('connects to the port of an app, and to another port in its container', async () => {
    const { app: made } = await deployedApp(on.daemon);

    for (const more of [[], ['--port', '9000']]) {
      const ran = await through([made.reference, ...more], (port) => echoes(port, 'one'));
      assert.deepEqual([ran.code, ran.stderr], [130, '']);
    }
  });

  it('closes a local connection, and says why, if the instance refuses the connection', async () => {
    const made = await database(on.daemon);

    const ran = await through([made.reference], async (port) => {
      await on.daemon.client.stopDatabase({ params: databaseParams(made), query: { wait: 'true' } });
      const socket = await connected(port);
      socket.on('error', () => undefined).resume();
      await once(socket, 'close');
    });

    assert.match(ran.stderr, /the database is stopped/);
  });

  it('closes all local connections when the user cancels', async () => {
    const made = await database(on.daemon);
    let left: Promise<unknown> | undefined;

    await through([made.reference], async (port) => {
      const socket = await connected(port);
      socket.on('error', () => undefined);
      socket.write('one');
      await once(socket, 'data');
      left = once(socket, 'close');
      socket.resume();
    });

    await left;
  });

  it('requires a choice if a database and an app have the same name', async () => {
    const made = await database(on.daemon);
    await app(on.daemon, { project: made.project, name: made.name });

    const ran = await on.davit.run(['tunnel', made.reference]);

    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /--kind database or --kind app/);
  });

  it('refuses wrong arguments, missing permissions and a local port in use', async () => {
    const made = await database(on.daemon);
    const { key } = user(on.daemon, 'viewer');
    const taken = String((echo.address() as AddressInfo).port);
    const codeOf = async (args: string[], env = {}) => (await on.davit.run(['tunnel', ...args], { env })).code;

    assert.equal(await codeOf(['db']), 2);
    assert.equal(await codeOf([made.reference, '0']), 2);
    assert.equal(await codeOf([made.reference, '70000']), 2);
    assert.equal(await codeOf([made.reference, '--kind', 'database', '--port', '1']), 2);
    assert.equal(await codeOf([made.reference, taken]), 1);
    assert.notEqual(await codeOf([made.reference], { DAVIT_API_KEY: key }), 0);
  });
});
