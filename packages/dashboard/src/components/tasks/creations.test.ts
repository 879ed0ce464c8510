import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Task } from '@davit/api';
import { failedCreations, lastCreation } from './creations.ts';

const NOW = Date.parse('2026-06-10T00:00:00Z');
const NAME = 'shop/production/main';

function task(id: number, status: Task['status'], more: Partial<Task> = {}): Task {
  const subject = { kind: 'database', name: NAME };
  return { id, kind: 'database.create', subject, status, created_at: '2026-06-09T00:00:00Z', ...more } as Task;
}

const STORE: Partial<Task> = { kind: 'object_store.create', subject: { kind: 'object_store', name: 'files' } };
const NONE = { database: [], object_store: [] };
const failed = (tasks: readonly Task[], existing: Parameters<typeof failedCreations>[1] = NONE) =>
  failedCreations(tasks, existing, NOW).map(({ id }) => id);

describe('creations of resources', () => {
  it('only the newest creation of a resource counts, and other tasks do not', () => {
    const lost = task(3, 'failed');
    const other = task(9, 'failed', { kind: 'backup.take' });
    assert.equal(lastCreation([other, lost, task(1, 'succeeded')]), lost);
    assert.equal(lastCreation([task(4, 'succeeded'), lost]), null);
    assert.equal(lastCreation([task(4, 'running'), lost]), 'open');
    assert.equal(lastCreation([task(4, 'cancelled'), lost]), null);
    assert.equal(lastCreation([other]), null);
  });

  it('lists each resource that does not exist because its creation failed', () => {
    assert.deepEqual(failed([task(5, 'failed', STORE), task(4, 'failed'), task(3, 'failed')]), [5, 4]);
    assert.deepEqual(failed([task(4, 'pending'), task(3, 'failed')]), []);
    assert.deepEqual(failed([task(4, 'failed'), task(3, 'succeeded')]), [4]);
    assert.deepEqual(failed([task(4, 'failed', { kind: 'backup.take' })]), []);
  });

  it('lists no creation of an existing resource, of unknown resources or from long ago', () => {
    const tasks = [task(5, 'failed', STORE), task(4, 'failed')];
    assert.deepEqual(failed(tasks, { database: [NAME], object_store: [] }), [5]);
    assert.deepEqual(failed(tasks, { database: [] }), [4]);
    assert.deepEqual(failed([task(4, 'failed', { created_at: '2026-06-02T00:00:00Z' })]), []);
  });
});
