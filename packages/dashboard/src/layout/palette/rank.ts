import type { Entry } from './entries.ts';
import { fit } from './match.ts';

type Ranked = Pick<Entry, 'text' | 'name' | 'environment' | 'isDeep' | 'does'>;

interface Found<E> {
  entry: E;
  /** Less comes first; where one is the same, the next one decides. */
  rank: readonly number[];
}

/**
 * What fits, best first; nothing typed: all, as they are. What is called exactly so comes before what merely has the
 * letters. Of what fits alike: a thing before what is done with it, production before other environments, where one has
 * been before where one has not, and then by name.
 * @param visited paths of pages, the newest first
 */
export function ranked<E extends Ranked>(typed: string, entries: readonly E[], visited: readonly string[] = []): E[] {
  const asked = typed.trim().toLowerCase();
  if (asked === '') return [...entries];
  return entries
    .flatMap((entry): Found<E>[] => {
      const value = fit(asked, entry.text);
      return value === null ? [] : [{ entry, rank: rankOf(entry, asked, value, visited) }];
    })
    .sort((a, b) => compare(a.rank, b.rank) || byName.compare(a.entry.text, b.entry.text))
    .map(({ entry }) => entry);
}

const byName = new Intl.Collator('en', { numeric: true });

function rankOf(entry: Ranked, asked: string, value: number, visited: readonly string[]): number[] {
  const { text, name, environment, isDeep, does } = entry;
  const isNamed = text.toLowerCase() === asked || name === asked;
  const isElsewhere = environment !== undefined && environment !== 'production';
  return [isNamed ? 0 : 1, -value, isDeep ? 1 : 0, isElsewhere ? 1 : 0, sinceVisit(does, visited)];
}

/** How many other pages were looked at since; a page below it counts as it. */
function sinceVisit(does: Entry['does'], visited: readonly string[]): number {
  if (typeof does !== 'object' || !('to' in does)) return visited.length;
  const [to, below] = [does.to, `${does.to}/`];
  const at = visited.findIndex((path) => path === to || path.startsWith(below));
  return at < 0 ? visited.length : at;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, one] of a.entries()) {
    const difference = one - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
