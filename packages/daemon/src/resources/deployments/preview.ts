import type { Store, Tx } from '../../db/store.ts';

/**
 * Error that ends the SQLite transaction of a deployment preview. It makes SQLite roll back all changes of the preview.
 */
const TAKEN_BACK = new Error('rollback of a deployment preview, which must not change the database');

/**
 * Runs `work` in a SQLite transaction, rolls the transaction back and returns the result of `work`. A deployment plan
 * uses this function. So the plan runs the same code as the real deployment request, but saves nothing. Errors of
 * `work` are thrown.
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
 * Runs `work` in a SQLite transaction. `work` calls `changed` if the database has changed since an earlier read.
 * @returns the result of `work`. If `work` calls `changed`, the transaction is rolled back and the result is `null`.
 */
export function txUnlessChanged<T>(store: Store, work: (tx: Tx) => T): T | null {
  try {
    return store.tx(work);
  } catch (error) {
    if (error !== CHANGED) throw error;
    return null;
  }
}
