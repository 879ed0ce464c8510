import type { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '@davit/service';
import { type DamageNote, REPAIR } from './damage.ts';
import { findDamage } from './find-damage.mjs';

/**
 * Runs the full integrity check of a SQLite file that an earlier process marked as damaged.
 * @throws DatabaseUnusable if the file is still damaged
 */
export function demandRepaired(db: DatabaseSync, path: string, note: DamageNote): void {
  let found: string[];
  try {
    found = findDamage(db);
  } catch (cause) {
    db.close();
    throw new DatabaseUnusable('damaged', `The database ${path} is damaged. ${REPAIR}`, { cause });
  }
  if (found.length > 0) {
    db.close();
    throw new DatabaseUnusable('damaged', `The database ${path} is damaged: a full check failed. ${REPAIR}`);
  }
  note.remove();
}
