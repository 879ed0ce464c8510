import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quota } from '@davit/api';
import { quotaRows } from './quota.ts';

const GIB = 2 ** 30;
const LIMITS = { replicas: 4, memory_bytes: null, cpu: null, pids: null, volumes: null, databases: null };
const USED = { replicas: 2, memory_bytes: GIB, cpu: 0.5, pids: 512, volumes: 0, databases: 0 };

/** Returns the rows of a quota with a disk limit and a measured disk use. */
function rowsOf(limit: number | null, use: number | null): Record<string, string> {
  const used = { ...USED, disk_bytes: use, without_memory_limit: 0, without_cpu_limit: 0 };
  const quota: Quota = { ...LIMITS, disk_bytes: limit, used, disk_measured_at: null };
  return Object.fromEntries(quotaRows(quota));
}

test('quotaRows shows the use of each resource with its limit, or that it has no limit', () => {
  const { replicas, memory } = rowsOf(null, null);

  assert.deepEqual([replicas, memory], ['2 of 4', '1 GiB (no limit)']);
});

test('quotaRows says why the disk use is unknown', () => {
  assert.equal(rowsOf(null, null).disk, 'not measured, because no disk limit is set');
  assert.equal(rowsOf(50 * GIB, null).disk, 'not measured yet (limit: 50 GiB)');
  assert.equal(rowsOf(50 * GIB, GIB).disk, '1 GiB of 50 GiB');
});
