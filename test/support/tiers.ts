/** What a case is run in. `npm test` keeps one live path of each promise; the rest is for `npm run test:long`. */

export const IS_LONG = process.env.DAVIT_TEST_LONG === '1';

/** Options of a case that is left to `npm run test:long`. */
export const inLong = { skip: IS_LONG ? false : 'left to npm run test:long' };

/** All of them in the long tier, the first of them in the quick one. */
export function someOf<T>(all: readonly T[], quick = 1): readonly T[] {
  return IS_LONG ? all : all.slice(0, quick);
}

/**
 * A part of them, another one each turn, so that all have had their turn in the end; in the long tier all of them every time.
 * For what the same code looks at wherever it is sent.
 */
export function partOf<T>(all: readonly T[], turn: number, parts: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, n) => n % parts === turn % parts);
}
