/** Checks a SQLite database for damage, in a worker thread with a read-only connection. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { findDamage } from './find-damage.mjs';

const db = new DatabaseSync(workerData.path, { readOnly: true, timeout: 5_000 });
try {
  parentPort.postMessage(findDamage(db));
} finally {
  db.close();
}
