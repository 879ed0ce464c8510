/** Whether the long tier runs. `npm test` runs one live test of each guarantee; `npm run test:long` runs all tests. */

export const IS_LONG = process.env.DAVIT_TEST_LONG === '1';

/** Options of a test that runs only in `npm run test:long`. */
export const inLong = { skip: IS_LONG ? false : 'left to npm run test:long' };

/** Returns all items in the long tier, and the first `quick` items in the quick tier. */
export function someOf<T>(all: readonly T[], quick = 1): readonly T[] {
  return IS_LONG ? all : all.slice(0, quick);
}

/**
 * Returns a part of the items, a different part for each turn, so that all items are used over several turns. In the
 * long tier returns all items each time. Use it for checks that run the same code for each item.
 */
export function partOf<T>(all: readonly T[], turn: number, parts: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, n) => n % parts === turn % parts);
}
