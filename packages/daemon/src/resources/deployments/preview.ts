import type { Store, Tx } from '../../db/store.ts';

/** Thrown to take back what a preview wrote. */
const TAKEN_BACK = new Error('a preview was taken back');

/**
 * Runs `work` in a transaction that is always taken back, and answers what it answered: how a change would turn out, by
 * the code that makes it and not by a copy of its rules. What `work` throws is thrown.
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
  // Set by then: whatever else `work` did was thrown above.
  return outcome.value as T;
}

const CHANGED = new Error('what was looked up is not what is wanted by now');

/** Ends the work of {@link txUnlessChanged}. */
export function changed(): never {
  throw CHANGED;
}

/** Runs `work` in a transaction. @returns null if it found that something has {@link changed}, which undoes the transaction */
export function txUnlessChanged<T>(store: Store, work: (tx: Tx) => T): T | null {
  try {
    return store.tx(work);
  } catch (error) {
    if (error !== CHANGED) throw error;
    return null;
  }
}
