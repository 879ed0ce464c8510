/** This file is JavaScript. For TypeScript, Node.js would strip the types, which needs more memory than the check. */

/** Maximum number of reported problems. This number is enough to find the cause of the damage. */
const MAX_FINDINGS = 20;

const FINE = 'ok';

export function findDamage(db) {
  // `quick_check` reads all pages, including free pages. It does not compare indexes with their tables.
  const found = findings(db, `PRAGMA quick_check(${MAX_FINDINGS})`);
  if (found.length > 0) return found;
  // Checks one table at a time. During a long transaction, SQLite cannot empty its write-ahead log. The daemon also
  // needs longer to stop.
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
