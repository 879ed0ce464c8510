/**
 * Removes rows whose parent row was lost, until all foreign keys are valid. Otherwise, the daemon would read rows that
 * refer to nothing.
 */
export function removeOrphans(db, tables) {
  const counts = new Map();
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { name } of tables) {
      for (const key of foreignKeys(db, name)) {
        const { changes } = db.prepare(deletion(name, key)).run();
        if (changes === 0) continue;
        isDone = false;
        const at = `${name}\0${key[0].table}`;
        counts.set(at, (counts.get(at) ?? 0) + Number(changes));
      }
    }
  }
  return [...counts].map(([at, rows]) => {
    const [table, parent] = at.split('\0');
    return { table, rows, why: `the parent row in the table ${parent} is lost` };
  });
}

/** Returns the foreign keys of a table, each as a list of its columns. */
function foreignKeys(db, table) {
  const columns = db.prepare('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq').all(table);
  return [...Map.groupBy(columns, ({ id }) => id).values()];
}

function deletion(table, key) {
  const [{ table: parent }] = key;
  const set = key.map(({ from }) => `c."${from}" IS NOT NULL`);
  const same = key.map(({ from, to }) => `p."${to}" = c."${from}"`);
  return `DELETE FROM "${table}" AS c WHERE ${set.join(' AND ')}
    AND NOT EXISTS (SELECT 1 FROM "${parent}" p WHERE ${same.join(' AND ')})`;
}
