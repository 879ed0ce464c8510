import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '@davit/api';
import { databaseList, trashedDatabaseList } from '../src/views/database.ts';

it('databaseList identifies a deleted database by ID and other databases by reference', () => {
  const there = { id: 4, reference: 'shop/production/main', deleted: null } as Database;
  const deleted = { at: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-08T00:00:00.000Z' };
  assert.equal(databaseList.id(there), 'shop/production/main');
  assert.equal(databaseList.id({ ...there, deleted }), '4');
});

it('trashedDatabaseList shows when a database was deleted and until when it is kept', () => {
  const deleted = { at: '2030-01-01T10:30:00.000Z', expires_at: '2030-01-08T10:30:00.000Z' };
  const database = { id: 4, reference: 'shop/production/main', engine: 'redis', version: '7.0', deleted } as Database;
  const shown = Object.fromEntries(trashedDatabaseList.columns.map(({ header, value }) => [header, value(database)]));

  const reason = trashedDatabaseList.columns.find(({ header }) => header === 'reason');
  assert.equal(reason?.value({ ...database, status_reason: null }), 'The database was deleted.');
  assert.equal(
    reason?.value({ ...database, status_reason: 'An upgrade replaced this data.' }),
    'An upgrade replaced this data.',
  );
  assert.deepEqual([shown.deleted, shown['kept until'], shown.ID], ['2030-01-01 10:30 UTC', '2030-01-08 10:30 UTC', 4]);
});
