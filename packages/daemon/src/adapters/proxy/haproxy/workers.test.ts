import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { RuntimeUnreachable } from './runtime.ts';
import { ReloadFailed, reloadWorker } from './workers.ts';

test('reloadWorker rejects if the container may have stopped during the reload', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-workers-'));
  context.after(() => rm(folder, { recursive: true }));
  const master = join(folder, 'master.sock');
  const generation = { number: 1, containerId: 'c1', socket: join(folder, 'worker.sock'), master };
  let isTrusted = true;
  const server = createServer((socket) => {
    socket.setEncoding('utf8').once('data', (text: string) => {
      socket.end('\nmaster> 7 worker\n\nmaster> ');
      if (!text.startsWith('reload')) return;
      // The server is killed instead of reloading.
      isTrusted = false;
      server.close();
    });
  }).listen(master);
  await once(server, 'listening');

  await assert.rejects(
    reloadWorker(generation, () => isTrusted),
    RuntimeUnreachable,
  );
});

test('reloadWorker rejects with ReloadFailed if the new worker does not start', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-workers-'));
  context.after(() => rm(folder, { recursive: true }));
  const master = join(folder, 'master.sock');
  let failures = 0;
  const server = createServer((socket) => {
    socket.setEncoding('utf8').once('data', (text: string) => {
      if (text.startsWith('reload')) failures += 1;
      const prompt = failures === 0 ? 'master> ' : 'master[ReloadFailed]> ';
      socket.end(`\n${prompt}1 master 0 [failed: ${failures}]\n7 worker\n\n${prompt}`);
    });
  }).listen(master);
  context.after(() => server.close());
  await once(server, 'listening');

  await assert.rejects(
    reloadWorker({ number: 1, containerId: 'c1', socket: join(folder, 'worker.sock'), master }, () => true),
    ReloadFailed,
  );
});
