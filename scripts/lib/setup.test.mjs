import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'node:test';
import { dataDirOf } from '../../packages/daemon/src/config/data-dir.mjs';
import { explainApt } from './apt.mjs';
import { engineAddress, fetchEngineVersion } from './engine-address.mjs';
import { packagesAreCurrent } from './packages.mjs';
import { createSteps, formatDuration, StepFailure } from './steps.mjs';

const lock = (packages) => ({ packages: { '': { name: 'root' }, ...packages } });
const A = { version: '1.0.0', resolved: 'a', integrity: 'sha512-a' };

test('packagesAreCurrent accepts installed packages that match the lock file', () => {
  assert.ok(packagesAreCurrent(lock({ 'node_modules/a': A }), lock({ 'node_modules/a': A })));
});

test('packagesAreCurrent rejects a missing package, another version and a missing installation', () => {
  assert.ok(!packagesAreCurrent(lock({ 'node_modules/a': A }), lock({})));
  assert.ok(!packagesAreCurrent(lock({ 'node_modules/a': A }), lock({ 'node_modules/a': { ...A, version: '1.0.1' } })));
  assert.ok(!packagesAreCurrent(lock({ 'node_modules/a': A }), null));
});

test('packagesAreCurrent ignores addresses of packages, which npm writes or omits depending on its settings', () => {
  const { resolved: _, ...withoutAddress } = A;
  const files = [A, withoutAddress].map((entry) => lock({ 'node_modules/a': entry }));
  for (const wanted of files) for (const installed of files) assert.ok(packagesAreCurrent(wanted, installed));
});

test('packagesAreCurrent rejects a package with another hash, and a link to another folder', () => {
  const link = { link: true, resolved: 'packages/b' };
  for (const [wanted, found] of [
    [A, { ...A, integrity: 'sha512-b' }],
    [A, link],
    [link, { ...link, resolved: 'packages/c' }],
    [link, A],
  ])
    assert.ok(!packagesAreCurrent(lock({ 'node_modules/a': wanted }), lock({ 'node_modules/a': found })));
});

test('packagesAreCurrent accepts a missing optional package', () => {
  assert.ok(packagesAreCurrent(lock({ 'node_modules/a': { ...A, optional: true } }), lock({})));
});

test('explainApt names the cause of a failed package installation', () => {
  const words = {
    'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)': /process 812, apt-get/,
    'E: dpkg was interrupted, you must manually run': /interrupted/,
    "E: You don't have enough free space in /var/cache/apt/archives/.": /too full/,
    "W: Failed to fetch http://x  Temporary failure resolving 'mirror.example'\nE: Unable to locate package a":
      /not be reached/,
    'something else': /could not install a, b/,
  };
  for (const [output, expected] of Object.entries(words)) {
    assert.match(explainApt(output, ['a', 'b']).message, expected);
  }
});

test('dataDirOf takes the directory from the flag, the variable or the user’s default', () => {
  assert.equal(dataDirOf(['--data-dir', '/a'], { DAVIT_DATA_DIR: '/b' }, true), '/a');
  assert.equal(dataDirOf(['--data-dir=/a'], {}, true), '/a');
  assert.equal(dataDirOf([], { DAVIT_DATA_DIR: '/b' }, true), '/b');
  assert.equal(dataDirOf([], {}, true), '/var/lib/davit');
  assert.equal(dataDirOf([], { XDG_DATA_HOME: '/c' }, false), '/c/davit');
});

test('engineAddress accepts a socket or a TCP host and refuses other addresses', () => {
  assert.deepEqual(engineAddress(undefined), { socketPath: '/var/run/docker.sock' });
  assert.deepEqual(engineAddress('unix:///x.sock'), { socketPath: '/x.sock' });
  assert.deepEqual(engineAddress('tcp://10.0.0.1:2376'), { host: '10.0.0.1', port: 2376 });
  assert.throws(() => engineAddress('ssh://host'), StepFailure);
});

test('askEngine returns the engine’s version and reports a server that is not an engine', async (t) => {
  const server = createServer((request, response) => {
    response.end(request.url === '/version' ? '{"Version":"20.10.24","ApiVersion":"1.41"}' : 'no');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address();

  assert.deepEqual(await fetchEngineVersion({ host: '127.0.0.1', port }), { version: '20.10.24', apiVersion: '1.41' });
  assert.deepEqual(await fetchEngineVersion({ socketPath: '/nowhere.sock' }), { problem: 'ENOENT' });
  server.removeAllListeners('request').on('request', (_, response) => response.end('<html>'));
  assert.deepEqual(await fetchEngineVersion({ host: '127.0.0.1', port }), { problem: 'NOT_AN_ENGINE' });
});

test('createSteps prints the error and the advice of a failed step', async () => {
  let text = '';
  const steps = createSteps({
    write: (part) => {
      text += part;
    },
  });

  await assert.rejects(steps.run('disk', () => Promise.reject(new StepFailure('It is full.', 'Free some space.'))));

  assert.match(text, /✗ disk .*\n {6}It is full\.\n {6}Free some space\.\n/);
});

test('formatDuration formats milliseconds, seconds and minutes for readers', () => {
  assert.deepEqual([3.4, 640, 4210, 125_000].map(formatDuration), ['3 ms', '640 ms', '4.2 s', '2 min 5 s']);
});
