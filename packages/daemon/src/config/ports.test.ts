import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { choosePort, listeningProcess, PortTaken } from './ports.ts';

async function listen() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}

const where = { host: '127.0.0.1', purpose: 'the API', remembered: null, ours: false };

test('choosePort replaces a used default port with a free port and reports the change', async () => {
  using taken = await listen();

  const chosen = await choosePort({ port: taken.port, explicit: false }, where);

  assert.notEqual(chosen.port, taken.port);
  assert.match(
    chosen.note ?? '',
    new RegExp(`Port ${taken.port} \\(the API\\) is in use by .+\\. Davit uses port ${chosen.port} from now on`),
  );
});

test('choosePort refuses a used explicit port and names the process', async () => {
  using taken = await listen();

  await assert.rejects(choosePort({ port: taken.port, explicit: true }, where), (error: Error) => {
    assert.ok(error instanceof PortTaken);
    assert.match(error.message, new RegExp(`process ${process.pid}`));
    return true;
  });
});

test('choosePort prefers the port of the last start over the default', async () => {
  const free = await listen();
  free[Symbol.dispose]();

  const chosen = await choosePort({ port: 1, explicit: false }, { ...where, remembered: free.port });

  assert.deepEqual(chosen, { port: free.port, note: null });
});

test('choosePort accepts a port that Davit’s own proxy uses', async () => {
  using proxy = await listen();

  const chosen = await choosePort({ port: 80, explicit: false }, { ...where, remembered: proxy.port, ours: true });

  assert.deepEqual(chosen, { port: proxy.port, note: null });
});

test('listeningProcess returns null for a port without a listener', () => {
  assert.equal(listeningProcess(1), null);
});
