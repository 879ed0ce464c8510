import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unixFetch } from './unix-fetch.ts';

test('unixFetch rejects a response that switches to another protocol', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-unix-fetch-'));
  const path = join(folder, 'davit.sock');
  const server = createServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
    socket.unref();
  });
  server.listen(path).unref();
  await once(server, 'listening');

  await assert.rejects(unixFetch(path)('http://localhost/healthz', { method: 'GET', headers: {} }), /without an HTTP/);

  server.close();
  await rm(folder, { recursive: true });
});
