import assert from 'node:assert/strict';
import test from 'node:test';
import { openDatabase } from '../database.ts';
import { SCHEMA } from './index.ts';
import type { Columns } from './table.ts';

interface Found {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** Returns the tables of a migrated database in the format of the declared schema. */
function migrated() {
  using db = openDatabase(':memory:');
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; sql: string }[];
  return Object.fromEntries(
    tables.map(({ name, sql }) => {
      const options = sql.slice(sql.lastIndexOf(')') + 1);
      assert.match(options, /STRICT/, `${name}: the table is not STRICT`);
      const columns = db.prepare(`PRAGMA table_xinfo(${name})`).all() as unknown as Found[];
      const key = columns.filter(({ pk }) => pk > 0);
      const isNumbered = key.length === 1 && key[0]?.type === 'INTEGER' && !options.includes('WITHOUT ROWID');
      return [name, Object.fromEntries(columns.map((column) => [column.name, found(column, isNumbered)]))];
    }),
  );
}

function found({ type, notnull, dflt_value, pk }: Found, isNumbered: boolean) {
  // SQLite numbers such rows, so the column is never null, although the table does not declare it NOT NULL.
  if (pk > 0 && isNumbered) return { type, isNullable: false, hasDefault: 'a row number' };
  return { type, isNullable: notnull === 0, hasDefault: dflt_value !== null };
}

test('the declared schema matches all tables and columns of a migrated database', () => {
  const tables = migrated();
  const declared = Object.entries<Columns>(SCHEMA).map(([name, columns]) => [
    name,
    Object.fromEntries(
      Object.entries(columns).map(([column, { type, isNullable, hasDefault }]) => {
        /*
         * SQLite can assign the number of such a row, or an insert can set it. The database does not show which, so the
         * comparison ignores this difference.
         */
        const isNumber = tables[name]?.[column]?.hasDefault === 'a row number';
        return [column, { type, isNullable, hasDefault: isNumber ? 'a row number' : hasDefault }];
      }),
    ),
  ]);

  assert.deepEqual(Object.fromEntries(declared), tables);
});
