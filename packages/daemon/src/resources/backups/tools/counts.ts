import type { Counts } from './tool.ts';

/** In the place of a count: it is there, and is not counted. */
export const UNCOUNTED = -1;

/** For engines that cannot count within the dump's own view: what was there before and after it. */
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

/** What is not as it was when the backup was taken, in a sentence; null: everything counted is there. */
export function difference(taken: Counts, found: Record<string, number>): string | null {
  for (const [name, expected] of Object.entries(taken)) {
    const [least, most] = typeof expected === 'number' ? [expected, expected] : expected;
    const count = found[name];
    if (count === undefined) return `«${name}» is missing`;
    if (count === UNCOUNTED) continue;
    if (count < least || count > most)
      return `«${name}» has ${count} instead of ${least === most ? least : `${least} to ${most}`}`;
  }
  return null;
}

/** Lines of a name and a number, a tab between them. A name may have line breaks, and then goes over several lines. */
export function parseCounts(text: string): Record<string, number> {
  return Object.fromEntries(
    [...text.matchAll(/^([\s\S]+?)\t(\d+)$/gm)].map(([, name = '', count]) => [name, Number(count)]),
  );
}
