import type { Counts } from './tool.ts';

/** Placeholder for an unknown row count. For some objects, for example views, Davit does not count the rows. */
export const UNCOUNTED = -1;

/**
 * Combines the row counts from before and after a dump into a range. Some database engines cannot count the rows at the
 * exact time of the dump.
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
 * Compares the row counts of a restored database with the row counts in the backup.
 * @returns the first difference as a sentence, or `null` if there is no difference
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

/**
 * Parses lines that contain a name, a tab and a number. If a name contains line breaks, the entry has several lines.
 */
export function parseCounts(text: string): Record<string, number> {
  return Object.fromEntries(
    [...text.matchAll(/^([\s\S]+?)\t(\d+)$/gm)].map(([, name = '', count]) => [name, Number(count)]),
  );
}
