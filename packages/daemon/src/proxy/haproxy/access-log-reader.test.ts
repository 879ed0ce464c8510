import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AccessLine, AccessLog } from '../access-log.ts';
import { createAccessLogReader } from './access-log-reader.ts';

const line = (n: number) => `1 b1 ${n} ${n} 1795290784639 200 0 0 5 100 10 shop.example\n`;

describe('the reader of the proxy’s lines', () => {
  let dataDir: string;
  let reader: AccessLog;
  let taken: AccessLine[];
  let arrived: { count: number; resolve: () => void } | null;
  const path = () => join(dataDir, 'proxy', 'access.sock');
  const start = () =>
    reader.start((lines) => {
      taken.push(...lines);
      if (arrived && taken.length >= arrived.count) arrived.resolve();
    });
  const numbers = () => taken.map(({ lines }) => lines);
  const arrival = async (count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived = { count, resolve };
    if (taken.length >= count) resolve();
    await promise;
  };
  const connect = async (): Promise<Socket> => {
    const socket = createConnection(path());
    await once(socket, 'connect');
    return socket;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'davit-access-'));
    reader = createAccessLogReader(dataDir, process.getuid?.() ?? 0);
    taken = [];
    arrived = null;
    await start();
  });
  afterEach(async () => {
    await reader[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  it('takes lines whole, however they were cut on the way', async () => {
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

  it('leaves out what is none, and forgets what has no end', async () => {
    const socket = await connect();

    socket.write(`garbage\n${line(1)}\u0000\n${'x'.repeat(100_000)}\n${line(2)}`);
    await arrival(2);

    assert.deepEqual(numbers(), [1, 2]);
    socket.destroy();
  });

  it('does not put what one connection began together with what another one says', async () => {
    const first = await connect();
    first.write(`${line(1)}1 b1 2 2 17952`);
    await arrival(1);
    first.destroy();

    const second = await connect();
    second.write(line(3));
    await arrival(2);

    assert.deepEqual(numbers(), [1, 3]);
    second.destroy();
  });

  it('listens again where a killed daemon did', async () => {
    await reader[Symbol.asyncDispose]();
    await writeFile(path(), '');
    reader = createAccessLogReader(dataDir, process.getuid?.() ?? 0);

    await start();

    const socket = await connect();
    socket.write(line(1));
    await arrival(1);
    socket.destroy();
  });

  it('is for the proxy alone', async () => {
    const { mode, uid } = await stat(path());

    assert.equal(uid, process.getuid?.());
    if (uid === 0) assert.equal(mode & 0o777, 0o600);
  });
});
