import type { Counts } from './tool.ts';

/** Value that stands for an unknown row count. Davit does not count the rows of some objects, for example of views. */
export const UNCOUNTED = -1;

/**
 * Combines the row counts from before and after a dump into a range, because some engines cannot count at the exact
 * moment of the dump.
 */
export function between(before: Record<string, number>, after: Record<string, number>): Counts {
  const isCounted = (name: string) => before[name] !== UNCOUNTED && after[name] !== UNCOUNTED;
  const shared = Object.keys(before).filter((name) => name in after && isCounted(name));
  return Object.fromEntries(
    shared.map((name) => {
      const [a, b] = [before[name] ?? 0, after[name] ?? 0];
      return [name, a === b ? a : [Math.min(a, b), Math.max(a, b)]];
    }),
  );
}

/**
 * Compares the row counts of a restored database with those of its backup.
 * @returns the first difference as a sentence, or `null` if there is none
 */
export function difference(taken: Counts, found: Record<string, number>): string | null {
  for (const [name, expected] of Object.entries(taken)) {
    const [least, most] = typeof expected === 'number' ? [expected, expected] : expected;
    const count = found[name];
    if (count === undefined) return `“${name}” is missing`;
    if (count === UNCOUNTED) continue;
    if (count < least || count > most)
      return `“${name}” has ${count} records instead of ${least === most ? least : `${least} to ${most}`}`;
  }
  return null;
}

/** Parses lines with a name, a tab and a number. A name with line breaks spans several lines. */
export function parseCounts(text: string): Record<string, number> {
  return Object.fromEntries(
    [...text.matchAll(/^([\s\S]+?)\t(\d+)$/gm)].map(([, name = '', count]) => [name, Number(count)]),
  );
}
