import { setImmediate as nextTurn } from 'node:timers/promises';
import { pruneAudit } from '../db/tables/audit.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Maximum number of audit rows that one SQLite transaction deletes. The transaction takes a few milliseconds, and
 * during this time the daemon cannot respond to requests.
 */
const ROWS_AT_ONCE = 2_000;

/** Deletes rows of the audit log that are older than the setting `audit.days`. */
export function auditTask({ store, sealer, settings, now }: ReconcilersDeps): Task {
  return {
    name: 'audit',
    everyMs: HOUR_MS,
    async run(signal) {
      const before = now() - settings().audit.days * DAY_MS;
      while (!signal.aborted && store.tx((tx) => pruneAudit(tx, sealer, before, ROWS_AT_ONCE)) === ROWS_AT_ONCE) {
        await nextTurn();
      }
      return undefined;
    },
  };
}
