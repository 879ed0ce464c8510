import type { Store, Tx } from '../../db/store.ts';

/**
 * Error that ends the SQLite transaction of a deployment preview. It makes SQLite roll back all changes of the preview.
 */
const TAKEN_BACK = new Error('a deployment preview rolls back its transaction, so that the database does not change');

/**
 * Runs `work` in a transaction that is rolled back. A plan thus runs the same code as the deployment request, but saves
 * nothing.
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
  // The type cast is safe. After an error, this function does not reach this line, so there is a result.
  return outcome.value as T;
}

const CHANGED = new Error('the image of the app changed during the request');

/** Throws an error that makes `txUnlessChanged` roll back its transaction and return `null`. */
export function changed(): never {
  throw CHANGED;
}

/**
 * Runs `work` in a SQLite transaction.
 * @returns `null` after a rollback, if `work` calls `changed` because the data changed since an earlier read
 */
export function txUnlessChanged<T>(store: Store, work: (tx: Tx) => T): T | null {
  try {
    return store.tx(work);
  } catch (error) {
    if (error !== CHANGED) throw error;
    return null;
  }
}
