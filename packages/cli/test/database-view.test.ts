import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '@davit/api';
import { databaseList } from '../src/views/database.ts';

it('databaseList identifies a deleted database by ID and other databases by reference', () => {
  const there = { id: 4, reference: 'shop/production/main', deleted: null } as Database;
  const deleted = { at: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-08T00:00:00.000Z' };
  assert.equal(databaseList.id(there), 'shop/production/main');
  assert.equal(databaseList.id({ ...there, deleted }), '4');
});
