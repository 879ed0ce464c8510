import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '@davit/api';
import { whyNotDatabase } from './database-may.ts';

const ALL = { operate: null, administer: null };
const database = (more: Partial<Database> = {}) =>
  ({ name: 'main', engine: 'postgres', status: 'running', task: null, ...more }) as Database;

describe('actions on a database', () => {
  it('allows every action except start while the database runs', () => {
    const { start, ...rest } = whyNotDatabase(database(), ALL);
    assert.equal(start, 'main is running.');
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
  });

  it('refuses backup, rotation, copy and upgrade while the database is stopped', () => {
    const not = whyNotDatabase(database({ status: 'stopped' }), ALL);
    assert.equal(not.start, null);
    assert.equal(not.delete, null);
    for (const action of ['backUp', 'rotate', 'copy', 'upgrade'] as const)
      assert.match(not[action] ?? '', /Start the database/);
    assert.equal(not.stop, 'main is stopped.');
  });

  it('allows password rotation for a degraded database, but no backup', () => {
    const not = whyNotDatabase(database({ status: 'degraded' }), ALL);
    assert.equal(not.rotate, null);
    assert.match(not.backUp ?? '', /Start the database/);
  });

  it('refuses backup and deletion during a task, but allows attaching and changes', () => {
    const not = whyNotDatabase(database({ task: 7 }), ALL);
    assert.match(not.backUp ?? '', /Task 7 is running/);
    assert.match(not.delete ?? '', /Task 7/);
    assert.deepEqual([not.attach, not.change], [null, null]);
  });

  it('reports missing permissions before a running task', () => {
    const not = whyNotDatabase(database({ task: 7 }), { operate: null, administer: 'admins only' });
    assert.deepEqual([not.rotate, not.delete, not.expose], ['admins only', 'admins only', 'admins only']);
    assert.match(not.backUp ?? '', /Task 7/);
  });

  it('refuses extensions for databases other than PostgreSQL', () => {
    assert.match(whyNotDatabase(database({ engine: 'redis' }), ALL).extend ?? '', /PostgreSQL/);
  });
});
