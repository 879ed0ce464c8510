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

test('an engine that answers is used as it is', () => {
  const answer = { version: '20.10.24', apiVersion: '1.41' };

  assert.deepEqual(decideEngine(seen({ answer, isRoot: false })), { kind: 'use', version: '20.10.24' });
});

test('a newer API is new enough, whatever its digits', () => {
  for (const apiVersion of ['1.41', '1.50', '1.100', '2.0']) {
    assert.equal(decideEngine(seen({ answer: { version: 'x', apiVersion } })).kind, 'use');
  }
});

test('an engine that is too old is refused with its version', () => {
  const decision = decideEngine(seen({ answer: { version: '19.03.15', apiVersion: '1.40' } }));

  assert.equal(decision.kind, 'refuse');
  assert.match(decision.why, /19\.03\.15 \(API 1\.40\)/);
});

test('an engine that DOCKER_HOST names is never replaced by another one', () => {
  const decision = decideEngine(seen({ chosen: true, place: 'tcp://elsewhere:2375', hasDockerd: true }));

  assert.equal(decision.kind, 'refuse');
  assert.match(decision.why, /tcp:\/\/elsewhere:2375/);
});

test('root starts the engine that is installed, and installs one where there is none', () => {
  assert.deepEqual(decideEngine(seen({ hasDockerd: true })), { kind: 'start', systemd: false });
  assert.deepEqual(decideEngine(seen({ hasSystemd: true })), { kind: 'install', systemd: true });
});

test('without root or without apt there is no engine, and the reason says which', () => {
  assert.match(decideEngine(seen({ isRoot: false })).why, /only root can install one/);
  assert.match(decideEngine(seen({ isRoot: false, hasDockerd: true })).why, /only root can start it/);
  assert.match(decideEngine(seen({ hasApt: false })).why, /no apt-get/);
});

test('a user who may not use the socket is told of the group', () => {
  const decision = decideEngine(seen({ isRoot: false, answer: { problem: 'EACCES' }, hasDockerd: true }));

  assert.equal(decision.kind, 'none');
  assert.match(decision.advice, /usermod -aG docker/);
});
