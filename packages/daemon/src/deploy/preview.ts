import type { Store, Tx } from '../store/store.ts';

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
