import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { Terminal } from '../../adapters/engine/terminal.ts';
import { ShellSocket } from './socket.ts';

/** Creates a program without output that ends when its terminal is disposed. */
function quietTerminal(): Terminal & { ended: boolean } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const terminal = {
    ended: false,
    exited: promise,
    output: (async function* () {
      await promise;
      yield Buffer.from('bye');
    })(),
    write: async () => undefined,
    resize: async () => undefined,
    [Symbol.asyncDispose]: async () => {
      terminal.ended = true;
      resolve(137);
    },
  };
  return terminal;
}

describe('ShellSocket', () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  before(() => new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.close();
    http.close();
  });

  /** Connects a client and a shell that pings at each check. The caller starts each check with `shell.tick()`. */
  async function pair(options: { autoPong?: boolean }, mayGoOn = () => true) {
    const accepted = once(server, 'connection');
    const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, options);
    const opened = once(client, 'open');
    const [socket] = (await accepted) as [WebSocket];
    await opened;
    const terminal = quietTerminal();
    const parts = { program: terminal, noun: 'shell' as const, mayGoOn, signal: new AbortController().signal };
    const shell = new ShellSocket(socket, parts, { pingMs: 0, closeMs: 50 });
    return { client, socket, terminal, shell, why: shell.run() };
  }

  it('closes and ends the program if the client does not respond to a ping', async () => {
    const { client, terminal, shell, why } = await pair({ autoPong: false });
    const pinged = once(client, 'ping');
    shell.tick();
    await pinged;
    shell.tick();

    assert.equal(await why, 'the client did not respond');
    assert.ok(terminal.ended);
  });

  it('stays open while a quiet client responds to pings', async () => {
    const { client, socket, terminal, shell, why } = await pair({});
    for (let pings = 0; pings < 5; pings++) {
      const answered = once(socket, 'pong');
      shell.tick();
      await answered;
    }

    assert.equal(terminal.ended, false);
    client.close();
    assert.equal(await why, 'the client left');
  });

  it('stays open while the program does not read the client’s input', async () => {
    const { client, terminal, shell, why } = await pair({});
    const writing = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<undefined>();
    terminal.write = () => {
      writing.resolve();
      return taken.promise;
    };
    client.send(Buffer.from('more than it takes'));
    await writing.promise;

    for (let pings = 0; pings < 5; pings++) {
      const pinged = once(client, 'ping');
      shell.tick();
      await pinged;
    }

    assert.equal(terminal.ended, false);
    taken.resolve(undefined);
    client.close();
    assert.equal(await why, 'the client left');
  });

  it('closes if the client does not respond to the closing handshake', async () => {
    let mayGoOn = true;
    const { client, shell, why } = await pair({}, () => mayGoOn);

    client.pause();
    mayGoOn = false;
    shell.tick();

    assert.match(await why, /no longer allows access to this/);
    client.terminate();
  });
});
