import type { Store, Tx } from '../../db/store.ts';

/** Error that rolls back the transaction of a preview. */
const TAKEN_BACK = new Error('the transaction of a preview is rolled back');

/**
 * Runs `work` in a transaction, rolls the transaction back and returns the result of `work`. A preview thus uses the
 * code of the real change instead of a copy of its rules. Errors of `work` are thrown.
 */
export function preview<T>(store: Store, work: (tx: Tx) => T): T {
  const outcome: { value?: T } = {};
  try {
    store.tx((tx) => {
      outcome.value = work(tx);
      throw TAKEN_BACK;
    });
  } catch (error) {
    if (error !== TAKEN_BACK) throw error;
  }
  // The value is set here, because every other outcome of `work` was thrown above.
  return outcome.value as T;
}

const CHANGED = new Error('the wanted image changed during the lookup');

/** Rolls back the transaction of {@link txUnlessChanged} and makes it return `null`. */
export function changed(): never {
  throw CHANGED;
}

/**
 * Runs `work` in a transaction.
 * @returns `null` if `work` called {@link changed}, which rolls the transaction back
 */
export function txUnlessChanged<T>(store: Store, work: (tx: Tx) => T): T | null {
  try {
    return store.tx(work);
  } catch (error) {
    if (error !== CHANGED) throw error;
    return null;
  }
}
