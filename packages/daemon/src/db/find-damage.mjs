/** This file is JavaScript, because stripping types from a TypeScript file needs more memory than the check itself. */

/** Maximum number of reported findings, enough to see the cause. */
const MAX_FINDINGS = 20;

const FINE = 'ok';

export function findDamage(db) {
  // `quick_check` reads every page and all free pages, but does not compare indexes with their tables.
  const found = findings(db, `PRAGMA quick_check(${MAX_FINDINGS})`);
  if (found.length > 0) return found;
  // One table at a time: a long transaction keeps SQLite from emptying its log and delays a stop of the daemon.
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
