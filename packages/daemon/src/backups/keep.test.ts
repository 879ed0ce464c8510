import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackupRow } from '../store/backup.ts';
import { superfluous } from './keep.ts';

/** Good ones, newest first: of a schedule unless something else is said of them. */
function good(...ones: Partial<BackupRow>[]): BackupRow[] {
  return ones.map((one, i) => {
    const row: Partial<BackupRow> = { id: ones.length - i, kind: 'dump', origin: 'schedule', verified_at: null };
    return { ...row, verify_error: null, ...one } as BackupRow;
  });
}

const ids = (rows: BackupRow[]) => rows.map(({ id }) => id);

describe('what a schedule has more than it keeps', () => {
  it('is the oldest, and the oldest of them first', () => {
    assert.deepEqual(ids(superfluous(good({}, {}, {}, {}, {}), 3)), [1, 2]);
    assert.deepEqual(superfluous(good({}, {}, {}), 3), []);
    assert.deepEqual(superfluous([], 1), []);
  });

  it('is nothing that somebody took by hand, and no base', () => {
    assert.deepEqual(
      ids(superfluous(good({}, { origin: 'manual' }, { kind: 'base' }, { origin: 'safety' }, {}), 1)),
      [1],
    );
  });

  it('is not what could be restored where what came after it could not', () => {
    const broken = { verified_at: 1, verify_error: 'It is cut off.' };

    assert.deepEqual(superfluous(good(broken, broken, {}), 1), []);
    assert.deepEqual(ids(superfluous(good(broken, {}, broken, {}), 1)), [1, 2]);
  });
});
