import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'node:test';
import { AddressMissing, choosePort, listeningProcess, PortTaken } from './ports.ts';

async function listen(host = '127.0.0.1') {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}

const where = { hosts: ['127.0.0.1'], purpose: 'the API', remembered: null, ours: false };

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

test('choosePort accepts only a port that is free on all addresses', async () => {
  using taken = await listen('127.0.0.2');
  const both = { ...where, hosts: ['127.0.0.1', '127.0.0.2'] };

  await assert.rejects(choosePort({ port: taken.port, explicit: true }, both), PortTaken);
  const chosen = await choosePort({ port: taken.port, explicit: false }, both);

  assert.notEqual(chosen.port, taken.port);
});

test('choosePort names an address that the server does not have', async () => {
  // RFC 5737 reserves this address for documentation.
  const missing = { ...where, hosts: ['192.0.2.1'] };

  await assert.rejects(choosePort({ port: 3000, explicit: false }, missing), (error: Error) => {
    assert.ok(error instanceof AddressMissing);
    assert.match(error.message, /192\.0\.2\.1 \(the API\), because this server does not have the address/);
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
