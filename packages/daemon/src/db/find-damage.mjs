/** JavaScript without types: stripping types would need more memory than the check itself. */

/** Findings that are reported: enough to see the cause. */
const MAX_FINDINGS = 20;

const FINE = 'ok';

export function findDamage(db) {
  // Every page and the free pages, but no index is compared with its table.
  const found = findings(db, `PRAGMA quick_check(${MAX_FINDINGS})`);
  if (found.length > 0) return found;
  // One table at a time: each read transaction keeps the write-ahead log from being emptied, and a stop waits for its end.
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
    found.push(...findings(db, `PRAGMA integrity_check("${name}")`));
    if (found.length > 0) return found.slice(0, MAX_FINDINGS);
  }
  return found;
}

function findings(db, pragma) {
  const lines = db
    .prepare(pragma)
    .all()
    .map((row) => String(Object.values(row)[0]));
  return lines.filter((line) => line !== FINE);
}
