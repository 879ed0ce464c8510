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

/** The tables of a migrated database, in the words of the declaration. */
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
  // SQLite gives each row a number, which is never null, although the table does not say so.
  if (pk > 0 && isNumbered) return { type, isNullable: false, hasDefault: 'a row number' };
  return { type, isNullable: notnull === 0, hasDefault: dflt_value !== null };
}

test('the declared schema is that of a migrated database: every table, column, type, null and default', () => {
  const tables = migrated();
  const declared = Object.entries<Columns>(SCHEMA).map(([name, columns]) => [
    name,
    Object.fromEntries(
      Object.entries(columns).map(([column, { type, isNullable, hasDefault }]) => {
        // Whether an insert gives the number itself is a rule of the program.
        const isNumber = tables[name]?.[column]?.hasDefault === 'a row number';
        return [column, { type, isNullable, hasDefault: isNumber ? 'a row number' : hasDefault }];
      }),
    ),
  ]);

  assert.deepEqual(Object.fromEntries(declared), tables);
});
