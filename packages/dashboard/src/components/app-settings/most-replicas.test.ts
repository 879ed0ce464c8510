import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quota } from '@davit/api';
import { mostReplicas, replicasHint } from './most-replicas.ts';

function most(pids: number, quota?: Partial<Pick<Quota, 'pids' | 'replicas'>>): number {
  const limits = { cpu: null, memory_bytes: null, pids };
  return mostReplicas({ limits }, quota && { replicas: null, pids: null, ...quota });
}

test('the maximum number of replicas is the lowest of all limits', () => {
  assert.equal(most(512), 8);
  assert.equal(most(16), 100);
  assert.equal(most(512, {}), 8);
  assert.equal(most(512, { pids: 10_000 }), 19);
  assert.equal(most(512, { pids: 100 }), 8);
  assert.equal(most(512, { replicas: 5 }), 5);
});

test('the hint does not ask for at most 0 replicas', () => {
  const app = { limits: { cpu: null, memory_bytes: null, pids: 512 } };
  const quota = { pids: null, replicas: 0 };

  assert.match(replicasHint(app, undefined), /at most 8/);
  assert.doesNotMatch(replicasHint(app, quota), /at most/);
});
