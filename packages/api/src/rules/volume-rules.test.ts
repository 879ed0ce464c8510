import assert from 'node:assert/strict';
import test from 'node:test';
import { areNested, unsharedPart } from './volume-rules.ts';

test('volumes are nested if one path contains the other', () => {
  assert.ok(areNested('/data', '/data/in'));
  assert.ok(areNested('/data/in', '/data'));
  assert.ok(areNested('/data', '/data'));
  assert.ok(!areNested('/data', '/database'));
});

test('a volume or a published port allows only one replica', () => {
  const none = { volumes: [], tcpPorts: [] };

  assert.equal(unsharedPart(2, none), null);
  assert.equal(unsharedPart(1, { ...none, volumes: [{ path: '/data' }] }), null);
  assert.deepEqual(unsharedPart(2, { ...none, volumes: [{ path: '/data' }] }), { volume: '/data' });
  assert.deepEqual(unsharedPart(2, { ...none, tcpPorts: [{ host_port: 4000 }] }), { port: 4000 });
});
