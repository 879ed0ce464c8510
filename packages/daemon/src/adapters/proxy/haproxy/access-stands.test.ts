import assert from 'node:assert/strict';
import test from 'node:test';
import { parseStands } from './access-stands.ts';

const BEGAN = 'proc.access_began: type=sint value=<1795290783480>';
const TABLE = `# table: access-counts, type: string, size:65536, used:2
0x7f01: key=b1 use=0 exp=0 shard=0 gpc0=46 gpc1=20 gpc2=3
0x7f02: key=b12 use=2 exp=0 shard=0 gpc0=7 gpc1=7 gpc2=0`;

test('parseStands returns the counters of a worker for each app', () => {
  assert.deepEqual(parseStands([BEGAN, TABLE]), [
    { process: 1_795_290_783_480, slot: 1, lines: 20, requests: 46 },
    { process: 1_795_290_783_480, slot: 12, lines: 7, requests: 7 },
  ]);
});

test('parseStands returns no counters for a worker without counts', () => {
  assert.deepEqual(parseStands([BEGAN, TABLE.split('\n')[0] ?? '']), []);
  assert.deepEqual(parseStands(['proc.access_began: undefined', 'No such table']), []);
});
