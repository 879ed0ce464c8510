import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Backup, BackupCoverage } from '@davit/api';
import {
  coverageSentence,
  destinationWords,
  nameIn,
  problemsFirst,
  verifiedWords,
  whyNotBackup,
} from './backup-words.ts';

const covered = (database: string, problem: string | null) => ({ database, problem }) as BackupCoverage;
const backup = (more: Partial<Backup>) => ({ status: 'succeeded', kind: 'dump', ...more }) as Backup;

describe('backup texts', () => {
  it('shows the server or the bucket as the backup destination', () => {
    assert.equal(destinationWords({ kind: 'disk' }), 'this server');
    const store = { kind: 'object_store', object_store: 'offsite', bucket: 'davit', prefix: 'shop/' } as const;
    assert.equal(destinationWords(store), 'offsite: davit/shop/');
  });

  it('colors a backup by the result of its verification', () => {
    const at = '2030-01-01T00:00:00Z';
    assert.equal(verifiedWords({ verified: null }).tone, 'soft');
    assert.equal(verifiedWords({ verified: { at, ok: true, error: null } }).tone, 'good');
    assert.equal(verifiedWords({ verified: { at, ok: false, error: 'No.' } }).tone, 'error');
  });

  it('explains why a backup cannot be restored or deleted', () => {
    assert.deepEqual(new Set(Object.values(whyNotBackup(backup({})))), new Set([null]));
    assert.match(whyNotBackup(backup({ status: 'failed' })).restore ?? '', /failed/);
    assert.equal(whyNotBackup(backup({ status: 'failed' })).delete, null);
    assert.match(whyNotBackup(backup({ status: 'taking' })).delete ?? '', /not complete/);
    assert.match(whyNotBackup(backup({ kind: 'base' })).restore ?? '', /to a point in time/);
  });

  it('lists databases without recent backups first and counts covered databases', () => {
    const all = [covered('a/b/one', null), covered('a/b/two', 'Back it up.'), covered('a/a/three', 'Never.')];
    assert.deepEqual(
      problemsFirst(all).map(({ database }) => nameIn(database)),
      ['three', 'two', 'one'],
    );
    assert.equal(coverageSentence(all), 'Databases with recent backups: 1 of 3.');
    assert.equal(coverageSentence(all.slice(0, 1)), 'The database has a recent backup.');
    assert.match(coverageSentence([]), /No databases/);
  });
});
