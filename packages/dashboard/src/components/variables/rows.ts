/** The variables of a level as a table shows them: its own, what wider levels set, and what is changed and not saved. */
import { differences, type Edits, type Entries, type Entry, edited } from './changes.ts';

export const SOURCES = ['project', 'environment', 'attachment', 'app'] as const;
/** Where a variable comes from; `attachment`: of a database or a bucket that is attached to the app. */
export type Origin = (typeof SOURCES)[number];
/** Where variables are set: a level with a page of its own. */
export type Source = Exclude<Origin, 'attachment'>;

export interface SourceEntries {
  source: Origin;
  entries: Entries;
}

export interface VariableRow {
  key: string;
  /** What an app here gets with the changes; null: nothing any more. */
  entry: Entry | null;
  source: Origin;
  /** What wider levels say, the nearest first; without the one that is shown. */
  overrides: { source: Origin; entry: Entry }[];
  /** This level has it, before or after the changes. */
  isOwn: boolean;
  change: 'added' | 'changed' | 'removed' | null;
}

/** @param wider from the nearest to the widest */
export function rowsOf(level: SourceEntries, edits: Edits, wider: readonly SourceEntries[]): VariableRow[] {
  const own = edited(level.entries, edits);
  const keys = new Set([level.entries, own, ...wider.map(({ entries }) => entries)].flatMap((map) => [...map.keys()]));
  const changed = new Map(differences(level.entries, own).map(({ key, change }) => [key, change]));
  return [...keys].sort().map((key) => {
    const widerSays = wider.flatMap(({ source, entries }) => {
      const entry = entries.get(key);
      return entry ? [{ source, entry }] : [];
    });
    const mine = own.get(key);
    const all = mine ? [{ source: level.source, entry: mine }, ...widerSays] : widerSays;
    const [shown, ...overrides] = all;
    const change = changed.get(key);
    return {
      key,
      entry: shown?.entry ?? null,
      source: shown?.source ?? level.source,
      overrides,
      isOwn: mine !== undefined || level.entries.has(key),
      change: change === 'marked' || change === 'unmarked' ? 'changed' : (change ?? null),
    };
  });
}

/** Whether a row is one that is looked for; a hidden value is not searched. */
export function isFound({ key, entry, source }: VariableRow, text: string, from: string): boolean {
  if (from !== '' && source !== from) return false;
  const wanted = text.trim().toLowerCase();
  const value = entry && !entry.secret ? (entry.value ?? '') : '';
  return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
