import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { connectTcp } from '../../adapters/engine/connect-tcp.ts';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { ShellOutput, ShellProgram } from './program.ts';
import { tunnelThrough } from './tunnel.ts';

describe('tunnelThrough', () => {
  const server = createServer({ allowHalfOpen: true });
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());

  const port = () => (server.address() as AddressInfo).port;

  async function pair(idleMs?: number): Promise<{ tunnel: ShellProgram; far: Socket }> {
    const accepted = once(server, 'connection');
    const connection = await connectTcp('127.0.0.1', port(), new AbortController().signal);
    const [far] = (await accepted) as [Socket];
    return { tunnel: tunnelThrough(connection, idleMs), far };
  }

  it('lets each side end its own direction', async () => {
    const { tunnel, far } = await pair();
    far.end('first');
    const received = await Array.fromAsync(tunnel.output);

    await tunnel.write(Buffer.from('second'));
    tunnel.endInput?.();

    assert.deepEqual(received.map(shown), ['first', { end: true }]);
    assert.equal(await text(far), 'second');
    assert.equal(await tunnel.exited, null);
  });

  it('closes the connection after a time without data', async () => {
    const { tunnel, far } = await pair(20);
    far.on('error', () => undefined).resume();

    assert.deepEqual(await Array.fromAsync(tunnel.output), []);
    assert.equal(await tunnel.exited, null);
    far.destroy();
  });

  it('reports a broken connection', async () => {
    const { tunnel, far } = await pair();
    const output = Array.fromAsync(tunnel.output);

    far.resetAndDestroy();

    await assert.rejects(output);
    await tunnel.write(Buffer.from('late'));
    await tunnel[Symbol.asyncDispose]();
  });

  it('does not accept more input while the other side does not read', async () => {
    const { tunnel, far } = await pair();
    far.pause();
    let taken = 0;
    const writing = (async () => {
      for (; taken < 10_000; taken++) await tunnel.write(Buffer.alloc(64 * 1024));
    })();
    let before = -1;
    while (before !== taken) {
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }

    assert.ok(taken < 1_000, `${taken} chunks`);
    await tunnel[Symbol.asyncDispose]();
    far.destroy();
    await writing;
  });
});

describe('connectTcp', () => {
  it('refuses a port without a listening program', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');

    await assert.rejects(connectTcp('127.0.0.1', port, new AbortController().signal), EngineRefused);
  });

  it('rejects with the abort reason', async () => {
    const reason = new Error('called off');

    await assert.rejects(connectTcp('127.0.0.1', 9, AbortSignal.abort(reason)), reason);
  });
});

function shown(piece: ShellOutput): unknown {
  return Buffer.isBuffer(piece) ? piece.toString() : piece;
}
