import assert from 'node:assert/strict';
import { it } from 'node:test';
import { QUOTA_RESOURCES, type Quota, QuotaPatch } from '@davit/api';
import { QUOTA_FIELDS, quotaDraft, quotaPatch } from './quota-draft.ts';

const NONE = Object.fromEntries(QUOTA_RESOURCES.map((resource) => [resource, null])) as unknown as Quota;

it('provides a field for every quota limit', () => {
  assert.deepEqual(
    QUOTA_FIELDS.map(({ resource }) => resource),
    [...QUOTA_RESOURCES],
  );
});

it('shows quota limits with units and sends only changed limits', () => {
  const before = quotaDraft({ ...NONE, replicas: 4, memory_bytes: 1.5 * 2 ** 30 });
  assert.deepEqual([before.replicas, before.memory_bytes, before.disk_bytes], ['4', '1.5 GiB', '']);
  const patch = quotaPatch(before, { ...before, replicas: '', cpu: '2.5', disk_bytes: '50g' });
  assert.deepEqual(patch, { replicas: null, cpu: 2.5, disk_bytes: 50 * 2 ** 30 });
  assert.ok(QuotaPatch.safeParse(patch).success);
  assert.equal(quotaPatch(before, { ...before, replicas: ' 4 ' }), null);
});

it('sends a non-numeric quota limit unchanged to the instance', () => {
  const before = quotaDraft(NONE);
  assert.deepEqual(quotaPatch(before, { ...before, memory_bytes: 'much', pids: 'all' }), {
    memory_bytes: 'much',
    pids: 'all',
  });
});
