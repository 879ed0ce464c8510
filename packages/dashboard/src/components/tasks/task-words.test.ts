import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressWords, shareDone, subjectPage, taskWords } from './task-words.ts';

describe('task texts', () => {
  it('labels known kinds and falls back to the identifier', () => {
    assert.equal(taskWords('backup.take'), 'Back up a database');
    assert.equal(taskWords('moon.reach'), 'moon.reach');
  });

  it('shows progress with units and the total if known', () => {
    assert.equal(progressWords({ done: 12 * 2 ** 20, total: 80 * 2 ** 20, unit: 'bytes' }), '12 MiB of 80 MiB');
    assert.equal(progressWords({ done: 12 * 2 ** 20, total: null, unit: 'bytes' }), '12 MiB');
    assert.equal(progressWords({ done: 3, total: 5, unit: 'apps' }), '3 of 5 apps');
  });

  it('returns a share of at most 100 percent, or null without a total', () => {
    assert.equal(shareDone({ done: 3, total: 6, unit: 'apps' }), 0.5);
    assert.equal(shareDone({ done: 9, total: 6, unit: 'bytes' }), 1);
    assert.equal(shareDone({ done: 9, total: null, unit: 'bytes' }), null);
    assert.equal(shareDone({ done: 0, total: 0, unit: 'bytes' }), null);
  });

  it('links to the page of the task’s subject', () => {
    const page = subjectPage({ kind: 'database', name: 'shop/production/main' });
    assert.equal(page, '/databases/shop/production/main');
    assert.equal(subjectPage({ kind: 'object_store', name: 'media' }), '/object-stores/media');
    assert.equal(subjectPage({ kind: 'install', name: '7' }), '/installs/7');
    assert.equal(subjectPage({ kind: 'backup', name: '12' }), '/backups');
    assert.equal(subjectPage({ kind: 'database', name: 'gone' }), null);
    assert.equal(subjectPage({ kind: 'project', name: 'shop' }), null);
  });
});
