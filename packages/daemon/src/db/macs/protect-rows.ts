import { MIGRATIONS } from '../migrations/index.ts';
import type { Store } from '../store.ts';
import { readSetting, writeSetting } from '../tables/settings.ts';
import type { RowFinding } from './find-changed.ts';

/** Setting with the schema version at which all MACs were last written. */
const SEALED_AT = 'row_macs';

/**
 * Checks the MACs of all protected rows, and writes the MACs of all later changes. After a migration, the MACs of all
 * rows are written again without a check, because the migration may have changed rows.
 * @param key key for MACs, derived from the master key
 * @param accept whether the operator accepts changed rows, so that their MACs are written again
 * @returns the rows that were changed outside of Davit. Empty if the daemon can use the state
 */
export function protectRows(store: Store, key: Buffer, accept: boolean): RowFinding[] {
  const macs = store.protectRows(key);
  const sealedAt = readSetting(store, SEALED_AT);
  const isNew = sealedAt === undefined && macs.isEmpty;
  // The value itself must be intact. Otherwise, one changed byte in it would hide all other changes.
  const isMigrated = Number(sealedAt) < MIGRATIONS.length && macs.isSealed('settings', SEALED_AT);
  if (!isNew && !isMigrated && !accept) return allOf(macs.check());
  store.tx((tx) => {
    writeSetting(tx, SEALED_AT, String(MIGRATIONS.length));
    macs.sealAll();
  });
  return [];
}

/** Runs a check without interruptions. */
function allOf(check: Generator<void, RowFinding[]>): RowFinding[] {
  for (;;) {
    const { done, value } = check.next();
    if (done) return value;
  }
}
