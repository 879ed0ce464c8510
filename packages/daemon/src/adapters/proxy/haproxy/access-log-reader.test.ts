import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import type { AccessLine, AccessLog } from '../access-log.ts';
import { createAccessLogReader } from './access-log-reader.ts';

const line = (n: number) => `t0ken 1 b1 ${n} ${n} 1795290784639 200 0 0 5 100 10 shop.example\n`;

describe('the access log reader', () => {
  let port: number;
  let reader: AccessLog;
  let taken: AccessLine[];
  let takes: number;
  let arrived: { count: number; resolve: () => void } | null;
  const start = () =>
    reader.start({
      take(lines) {
        takes += 1;
        taken.push(...lines);
        if (arrived && taken.length >= arrived.count) arrived.resolve();
      },
      settle: () => undefined,
    });
  const numbers = () => taken.map(({ lines }) => lines);
  const arrival = async (count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived = { count, resolve };
    if (taken.length >= count) resolve();
    await promise;
  };
  const connect = async (): Promise<Socket> => {
    const socket = createConnection(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  beforeEach(async () => {
    port = await freePort();
    reader = createAccessLogReader({ port, token: 't0ken' });
    taken = [];
    takes = 0;
    arrived = null;
    await start();
  });
  afterEach(async () => {
    await reader[Symbol.asyncDispose]();
  });

  it('joins lines that arrive in several parts', async () => {
    const socket = await connect();
    const text = [1, 2, 3].map(line).join('');

    for (const part of [text.slice(0, 20), text.slice(20, 90), text.slice(90)]) {
      socket.write(part);
      await new Promise(setImmediate);
    }
    await arrival(3);

    assert.deepEqual(numbers(), [1, 2, 3]);
    socket.destroy();
  });

  it('groups lines that arrive separately into batches', async () => {
    const socket = await connect();

    for (let n = 1; n <= 300; n += 1) {
      socket.write(line(n));
      await new Promise(setImmediate);
    }
    await arrival(300);

    assert.ok(takes <= 150, `${takes} times for 300 lines`);
    assert.deepEqual(
      numbers(),
      Array.from({ length: 300 }, (_, before) => before + 1),
    );
    socket.destroy();
  });

  it('ignores invalid lines and lines that are too long', async () => {
    const socket = await connect();

    socket.write(`garbage\n${line(1)}\u0000\n${'x'.repeat(100_000)}\n${line(2)}`);
    await arrival(2);

    assert.deepEqual(numbers(), [1, 2]);
    socket.destroy();
  });

  it('does not join partial lines of different connections', async () => {
    const first = await connect();
    first.write(`${line(1)}t0ken 1 b1 2 2 17952`);
    await arrival(1);
    first.destroy();

    const second = await connect();
    second.write(line(3));
    await arrival(2);

    assert.deepEqual(numbers(), [1, 3]);
    second.destroy();
  });

  it('ignores lines with a wrong or missing token', async () => {
    const socket = await connect();

    socket.write(`${line(7).replace('t0ken', 'guess')}${line(8).replace('t0ken ', '')}${line(1)}`);
    await arrival(1);

    assert.deepEqual(numbers(), [1]);
    socket.destroy();
  });

  it('receives lines on the same port after a restart', async () => {
    await reader[Symbol.asyncDispose]();

    await start();

    const socket = await connect();
    socket.write(line(1));
    await arrival(1);
    socket.destroy();
  });
});
