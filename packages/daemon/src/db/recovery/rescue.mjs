/** Copies all readable rows of a damaged SQLite database into a new database with the same schema. */
import { DatabaseSync } from 'node:sqlite';
import { removeOrphans } from './orphans.mjs';
import { readRows } from './read-rows.mjs';

const OWN_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/** Returns the number of rows in all tables. */
export function countRows(db) {
  const names = db.prepare(OWN_TABLES).all();
  return names.reduce((sum, { name }) => sum + Number(db.prepare(`SELECT count(*) AS n FROM "${name}"`).get().n), 0);
}

/** @returns {{ rows: number, lost: { table: string, rows: number | null, why: string }[] }} */
export function rescue(from, path, { migrations, keys }) {
  const version = versionOf(from, migrations.length);
  const to = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    to.exec(`PRAGMA foreign_keys = OFF; BEGIN; ${migrations.slice(0, version).join('\n')}`);
    const tables = to.prepare(OWN_TABLES).all();
    // Triggers would add rows that the damaged database does not contain.
    const triggers = to.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) to.exec(`DROP TRIGGER "${name}"`);
    const lost = tables.flatMap(({ name }) => copyTable(from, to, name));
    lost.push(...removeOrphans(to, tables));
    copyCounters(from, to);
    if (version === migrations.length) removeMacs(to, keys);
    for (const { sql } of triggers) to.exec(sql);
    to.exec(`PRAGMA user_version = ${version}; COMMIT`);
    return { rows: countRows(to), lost };
  } finally {
    to.close();
  }
}

/** Copies the highest ids that SQLite assigned. Otherwise, a new row could get the id of a deleted row. */
function copyCounters(from, to) {
  const update = to.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?');
  const insert = to.prepare(
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)',
  );
  try {
    for (const { name, seq } of from.prepare('SELECT name, seq FROM sqlite_sequence').all()) {
      update.run(seq, name);
      insert.run(name, seq);
    }
  } catch {
    // The table is damaged. SQLite then continues after the highest id of the copied rows.
  }
}

/** Removes the MACs of lost rows. Otherwise, the restored database would seem to be changed. */
function removeMacs(to, keys) {
  for (const [table, key] of Object.entries(keys)) {
    const sql = `DELETE FROM row_macs WHERE table_name = ? AND row_key NOT IN (SELECT ${key} FROM "${table}" t)`;
    to.prepare(sql).run(table);
  }
}

/** Returns the schema version of the damaged database. Returns the newest version if the value is damaged. */
function versionOf(from, newest) {
  const version = Number(from.prepare('PRAGMA user_version').get().user_version);
  return version > 0 && version <= newest ? version : newest;
}

function copyTable(from, to, table) {
  to.exec(`DELETE FROM "${table}"`);
  const columns = to.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const insert = to.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  let refused = 0;
  const gaps = readRows(from, to, { table, columns: names }, (values) => {
    try {
      insert.run(...values);
    } catch {
      // The row violates a constraint: a value is damaged, or another row has the same key.
      refused += 1;
    }
  });
  const lost = gaps.map((why) => ({ table, rows: null, why }));
  if (refused > 0) lost.push({ table, rows: refused, why: 'a value is damaged' });
  return lost;
}
