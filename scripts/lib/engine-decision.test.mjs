import assert from 'node:assert/strict';
import test from 'node:test';
import { decideEngine } from './engine-decision.mjs';

const seen = (changes) => ({
  answer: { problem: 'ENOENT' },
  place: 'unix:///var/run/docker.sock',
  chosen: false,
  isRoot: true,
  hasDockerd: false,
  hasApt: true,
  hasSystemd: false,
  ...changes,
});

test('decideEngine uses a running engine with a supported API version', () => {
  const answer = { version: '20.10.24', apiVersion: '1.41' };

  assert.deepEqual(decideEngine(seen({ answer, isRoot: false })), { kind: 'use', version: '20.10.24' });
});

test('decideEngine compares API versions by number and accepts all newer versions', () => {
  for (const apiVersion of ['1.41', '1.50', '1.100', '2.0']) {
    assert.equal(decideEngine(seen({ answer: { version: 'x', apiVersion } })).kind, 'use');
  }
});

test('decideEngine refuses an engine that is too old and names its version', () => {
  const decision = decideEngine(seen({ answer: { version: '19.03.15', apiVersion: '1.40' } }));

  assert.equal(decision.kind, 'refuse');
  assert.match(decision.why, /19\.03\.15 \(API 1\.40\)/);
});

test('decideEngine never replaces an unreachable engine that DOCKER_HOST names', () => {
  const decision = decideEngine(seen({ chosen: true, place: 'tcp://elsewhere:2375', hasDockerd: true }));

  assert.equal(decision.kind, 'refuse');
  assert.match(decision.why, /tcp:\/\/elsewhere:2375/);
});

test('decideEngine starts an installed engine as root and installs a missing engine', () => {
  assert.deepEqual(decideEngine(seen({ hasDockerd: true })), { kind: 'start', systemd: false });
  assert.deepEqual(decideEngine(seen({ hasSystemd: true })), { kind: 'install', systemd: true });
});

test('decideEngine explains whether root or apt is missing if no engine can run', () => {
  assert.match(decideEngine(seen({ isRoot: false })).why, /only root can install one/);
  assert.match(decideEngine(seen({ isRoot: false, hasDockerd: true })).why, /only root can start it/);
  assert.match(decideEngine(seen({ hasApt: false })).why, /no apt-get/);
});

test('decideEngine advises joining the docker group if the user cannot use the socket', () => {
  const decision = decideEngine(seen({ isRoot: false, answer: { problem: 'EACCES' }, hasDockerd: true }));

  assert.equal(decision.kind, 'none');
  assert.match(decision.advice, /usermod -aG docker/);
});
