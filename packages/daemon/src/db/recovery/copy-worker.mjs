/** Copies a SQLite database in a worker thread: as a whole if it is intact, otherwise row by row. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { findDamage } from '../find-damage.mjs';
import { countRows, rescue } from './rescue.mjs';

const { source, target, migrations, keys } = workerData;
const from = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
try {
  parentPort.postMessage(isIntact(from) ? copyAll() : rescue(from, target, { migrations, keys }));
} finally {
  from.close();
}

function isIntact(db) {
  try {
    return findDamage(db).length === 0;
  } catch {
    // SQLite cannot check the file, because its structure is broken.
    return false;
  }
}

function copyAll() {
  from.prepare('VACUUM INTO ?').run(target);
  return { rows: countRows(from), lost: [] };
}
