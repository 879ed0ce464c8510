/** Builds the table rows of a level: its own variables, variables of wider levels, and unsaved changes. */
import { differences, type Edits, type Entries, type Entry, edited } from './changes.ts';

export const SOURCES = ['project', 'environment', 'attachment', 'app'] as const;
/** Origin of a variable. `attachment` means a database or a bucket that is attached to the app. */
export type Origin = (typeof SOURCES)[number];
/** Level at which variables are set. Each level has its own page. */
export type Source = Exclude<Origin, 'attachment'>;

export interface SourceEntries {
  source: Origin;
  entries: Entries;
}

export interface VariableRow {
  key: string;
  /** Entry that an app gets with the changes applied, or `null` if the variable is removed. */
  entry: Entry | null;
  source: Origin;
  /** Entries of wider levels that are overridden, nearest first. */
  overrides: { source: Origin; entry: Entry }[];
  /** Whether this level has the variable, before or after the changes. */
  isOwn: boolean;
  change: 'added' | 'changed' | 'removed' | null;
}

/**
 * Returns the rows of a level.
 * @param wider wider levels, nearest first
 */
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

/** Returns whether a row matches the search. Hidden values are not searched. */
export function isFound({ key, entry, source }: VariableRow, text: string, from: string): boolean {
  if (from !== '' && source !== from) return false;
  const wanted = text.trim().toLowerCase();
  const value = entry && !entry.secret ? (entry.value ?? '') : '';
  return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
