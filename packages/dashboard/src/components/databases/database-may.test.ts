import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '@davit/api';
import { whyNotDatabase } from './database-may.ts';

const ALL = { operate: null, administer: null };
const database = (more: Partial<Database> = {}) =>
  ({ name: 'main', engine: 'postgres', status: 'running', task: null, ...more }) as Database;

describe('what can be done with a database', () => {
  it('is everything but starting it while it runs', () => {
    const { start, ...rest } = whyNotDatabase(database(), ALL);
    assert.equal(start, 'main is running.');
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
  });

  it('is nothing that needs it to run while it is stopped', () => {
    const not = whyNotDatabase(database({ status: 'stopped' }), ALL);
    assert.equal(not.start, null);
    assert.equal(not.delete, null);
    for (const action of ['backUp', 'rotate', 'copy', 'upgrade'] as const)
      assert.match(not[action] ?? '', /Start the database/);
    assert.equal(not.stop, 'main is stopped.');
  });

  it('is another password also while it does not answer, which an app may be the reason for', () => {
    const not = whyNotDatabase(database({ status: 'degraded' }), ALL);
    assert.equal(not.rotate, null);
    assert.match(not.backUp ?? '', /Start the database/);
  });

  it('waits for the task that is open, except for what needs none', () => {
    const not = whyNotDatabase(database({ task: 7 }), ALL);
    assert.match(not.backUp ?? '', /Task 7 is running/);
    assert.match(not.delete ?? '', /Task 7/);
    assert.deepEqual([not.attach, not.change], [null, null]);
  });

  it('says first that somebody may not', () => {
    const not = whyNotDatabase(database({ task: 7 }), { operate: null, administer: 'admins only' });
    assert.deepEqual([not.rotate, not.delete, not.expose], ['admins only', 'admins only', 'admins only']);
    assert.match(not.backUp ?? '', /Task 7/);
  });

  it('has extensions of one engine alone', () => {
    assert.match(whyNotDatabase(database({ engine: 'redis' }), ALL).extend ?? '', /PostgreSQL/);
  });
});
