import type { Entry } from './entries.ts';
import { fit } from './match.ts';

type Ranked = Pick<Entry, 'text' | 'name' | 'environment' | 'isDeep' | 'does'>;

interface Found<E> {
  entry: E;
  /**
   * Values by which command palette entries are sorted, lower values first. If the first values of two entries are
   * equal, the second values are compared, and so on.
   */
  rank: readonly number[];
}

/**
 * Returns the command palette entries that match the typed text, best match first. If no text was typed, the order
 * stays unchanged.
 * @param visited URL paths of visited pages, newest first
 */
export function ranked<E extends Ranked>(typed: string, entries: readonly E[], visited: readonly string[] = []): E[] {
  const searchText = typed.trim().toLowerCase();
  if (searchText === '') return [...entries];
  return entries
    .flatMap((entry): Found<E>[] => {
      const value = fit(searchText, entry.text);
      return value === null ? [] : [{ entry, rank: rankOf(entry, searchText, value, visited) }];
    })
    .sort((a, b) => compare(a.rank, b.rank) || byName.compare(a.entry.text, b.entry.text))
    .map(({ entry }) => entry);
}

const byName = new Intl.Collator('en', { numeric: true });

function rankOf(entry: Ranked, searchText: string, value: number, visited: readonly string[]): number[] {
  const { text, name, environment, isDeep, does } = entry;
  const isNamed = text.toLowerCase() === searchText || name === searchText;
  const isElsewhere = environment !== undefined && environment !== 'production';
  /*
   * Sort order: exact name first, then higher score, resources before actions, production first, and recently visited
   * pages first.
   */
  return [isNamed ? 0 : 1, -value, isDeep ? 1 : 0, isElsewhere ? 1 : 0, sinceVisit(does, visited)];
}

/**
 * Returns the index of a page in the list of visited pages, newest page first. If a subpage was visited, this is also a
 * visit to the page.
 */
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
