import type { Store, Tx } from '../../db/store.ts';

/**
 * Error that ends the SQLite transaction of a deployment preview, so that SQLite rolls back all changes of the preview.
 */
const TAKEN_BACK = new Error('a deployment preview rolls back its transaction, so that the database does not change');

/**
 * Runs `work` in a SQLite transaction and then rolls back the transaction. A deployment plan uses this function to run
 * the code of the deployment request without saving anything.
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
  // The type cast is safe. If `work` fails, the function does not reach this line, so `result` is always set here.
  return outcome.value as T;
}

const CHANGED = new Error('the image of the app changed during the request');

/** Throws an error that makes `txUnlessChanged` roll back its transaction and return `null`. */
export function changed(): never {
  throw CHANGED;
}

/**
 * Runs `work` in a SQLite transaction. If `work` calls `changed`, the transaction is rolled back, because the data has
 * changed since an earlier read.
 * @returns `null` after a rollback
 */
export function txUnlessChanged<T>(store: Store, work: (tx: Tx) => T): T | null {
  try {
    return store.tx(work);
  } catch (error) {
    if (error !== CHANGED) throw error;
    return null;
  }
}
