import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackupRow } from '../../db/tables/backup.ts';
import { expiredBases, expiredDumps, expiredSegments } from './retention.ts';

/** Returns successful backups, newest first. The backups have the origin `schedule` by default. */
function good(...ones: Partial<BackupRow>[]): BackupRow[] {
  return ones.map((one, i) => {
    const row: Partial<BackupRow> = { id: ones.length - i, kind: 'dump', origin: 'schedule', verified_at: null };
    return { ...row, verify_error: null, ...one } as BackupRow;
  });
}

const ids = (rows: BackupRow[]) => rows.map(({ id }) => id);

describe('expiredDumps', () => {
  it('returns the oldest dumps above the limit, oldest first', () => {
    assert.deepEqual(ids(expiredDumps(good({}, {}, {}, {}, {}), 3)), [1, 2]);
    assert.deepEqual(expiredDumps(good({}, {}, {}), 3), []);
    assert.deepEqual(expiredDumps([], 1), []);
  });

  it('ignores manual backups, safety backups and base backups', () => {
    assert.deepEqual(
      ids(expiredDumps(good({}, { origin: 'manual' }, { kind: 'base' }, { origin: 'safety' }, {}), 1)),
      [1],
    );
  });

  it('keeps a restorable dump if newer dumps failed their verification', () => {
    const broken = { verified_at: 1, verify_error: 'It is cut off.' };

    assert.deepEqual(expiredDumps(good(broken, broken, {}), 1), []);
    assert.deepEqual(ids(expiredDumps(good(broken, {}, broken, {}), 1)), [1, 2]);
  });
});

describe('the newest verified backup', () => {
  const verified = { verified_at: 1 };

  it('stays beyond the retention while no newer backup is verified', () => {
    assert.deepEqual(expiredDumps(good({}, {}, verified), 2), []);
    assert.deepEqual(ids(expiredDumps(good({}, {}, verified, {}, verified), 2)), [1, 2]);
  });

  it('expires after the verification of a newer backup, scheduled or manual', () => {
    assert.deepEqual(ids(expiredDumps(good(verified, {}, verified), 2)), [1]);
    assert.deepEqual(ids(expiredDumps(good({ ...verified, origin: 'manual' }, {}, {}, verified), 2)), [1]);
  });
});

describe('expiry of point-in-time recovery data', () => {
  const base = (id: number, volume = 'db1') => ({ id, volume });

  it('expiredBases returns bases behind the newest two and bases of another volume', () => {
    const bases = [base(5, 'db2'), base(4), base(3), base(2), base(1, 'db2')];
    assert.deepEqual(
      expiredBases(bases, 'db1', () => true).map(({ id }) => id),
      [5, 2, 1],
    );
    assert.deepEqual(
      expiredBases([base(2), base(1)], 'db1', () => true),
      [],
    );
  });

  it('expiredBases keeps the newest two usable bases and the newest base', () => {
    const bases = [base(5), base(4), base(3), base(2), base(1)];
    const expired = (usable: number[]) =>
      expiredBases(bases, 'db1', ({ id }) => usable.includes(id)).map(({ id }) => id);

    assert.deepEqual(expired([3, 2, 1]), [4, 1]);
    assert.deepEqual(expired([5, 3, 2]), [4, 2, 1]);
  });

  it('expiredSegments returns segments before the oldest base and of another volume, except history', () => {
    const segments = ['db2/03', 'db1/01', 'db1/02', 'db1/03', 'db1/00.history'].map((name) => ({ name }));
    const expired = (oldest: { from: string } | undefined) =>
      expiredSegments(segments, 'db1', oldest).map(({ name }) => name);

    assert.deepEqual(expired({ from: '02' }), ['db2/03', 'db1/01']);
    assert.deepEqual(expired(undefined), ['db2/03']);
  });
});
