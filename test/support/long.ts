/** What the quick tier leaves to the long one. */

/** Whether this is the long tier. */
export const LONG = process.env.DAVIT_TEST_LONG === '1';

/** All of them in the long tier, the first in the quick one. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return LONG ? all : all.slice(0, 1);
}
