import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { probeHttp } from './probe.ts';

/** Probes a server that sends these bytes to each client. */
async function answered(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await probeHttp('127.0.0.1', { kind: 'http', port, path: '/', timeoutMs: 5_000 });
  } finally {
    server.close();
  }
}

describe('probeHttp', () => {
  it('accepts a status from 200 to 299 and refuses a redirect', async () => {
    assert.deepEqual(await answered('HTTP/1.1 204 No Content\r\n\r\n'), { ok: true });
    assert.deepEqual(await answered('HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n'), {
      ok: false,
      reason: 'GET / returned status 302',
    });
  });

  it('accepts a server that ends header lines with a bare line feed', async () => {
    const script = 'HTTP/1.0 200 OK\r\nContent-Type: text/html\nCache-Control: no-store\n\n<!doctype html>';
    assert.deepEqual(await answered(script), { ok: true });
  });

  it('fails for a response that is not HTTP', async () => {
    assert.equal((await answered('hello\r\n\r\n')).ok, false);
  });
});
