import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { readLogBatches } from './batches.ts';

/** Returns a line of stdout in the frame format of the engine. */
function frame(n: number, text: string): Buffer {
  const stamp = `2026-11-21T14:00:00.${String(n).padStart(9, '0')}Z`;
  const payload = Buffer.from(`${stamp} ${text}\n`);
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** Starts a fake engine that writes the response head for each log request and then calls `answer`. */
async function fakeEngine(test: TestContext, answer: (socket: Socket) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'davit-logs-'));
  const path = join(folder, 'engine.sock');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.0 200 OK\r\n\r\n');
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  test.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const context = { client: { address: `unix://${path}` }, log: { warn: assert.fail } } as unknown as DockerContext;
  const instances = { findFacts: async () => ({}) } as unknown as DockerInstances;
  return (follow: boolean, signal: AbortSignal) =>
    readLogBatches(context, instances, 'c1', { after: null, follow, signal });
}

const going = new AbortController().signal;

describe('readLogBatches', () => {
  it('returns log lines in batches as they arrive until the log ends', async (test) => {
    const read = await fakeEngine(test, (socket) => {
      socket.write(Buffer.concat([frame(1, 'one'), frame(2, 'two')]));
      setTimeout(() => socket.end(frame(3, 'three')), 20);
    });

    const batches = await Array.fromAsync(read(false, going), ({ text }) => text.toString());

    assert.equal(batches.join(''), 'one\ntwo\nthree\n');
    assert.ok(batches.length > 1);
  });

  it('applies backpressure to the engine while the reader is slow and loses no lines', async (test) => {
    const count = 8_192;
    const line = 'x'.repeat(1_024);
    let engine: Socket | undefined;
    const read = await fakeEngine(test, (socket) => {
      engine = socket;
      socket.end(Buffer.concat(Array.from({ length: count }, (_, n) => frame(n, line))));
    });

    let lines = 0;
    for await (const batch of read(false, going)) {
      if (lines === 0) await delay(100);
      if (lines === 0) assert.ok((engine?.writableLength ?? 0) > 0);
      lines += batch.count;
    }

    assert.equal(lines, count);
  });

  it('ends when the reader aborts the signal', async (test) => {
    const read = await fakeEngine(test, (socket) => socket.write(frame(1, 'one')));
    const abort = new AbortController();
    const texts: string[] = [];

    for await (const { text } of read(true, abort.signal)) {
      texts.push(text.toString());
      abort.abort();
    }

    assert.deepEqual(texts, ['one\n']);
  });
});
