/**
 * Builds the table rows for the variables of a project, an environment or an app. The rows include inherited variables
 * and unsaved changes.
 */
import { differences, type Edits, type Entries, type Entry, edited } from './changes.ts';

export const SOURCES = ['project', 'environment', 'attachment', 'app'] as const;
/** Where a variable is set. `attachment` means a database or a bucket that is attached to the app. */
export type Origin = (typeof SOURCES)[number];
/** Level on which users set variables: project, environment or app. Each level has its own page. */
export type Source = Exclude<Origin, 'attachment'>;

export interface SourceEntries {
  source: Origin;
  entries: Entries;
}

export interface VariableRow {
  key: string;
  /** Environment variable with unsaved changes applied, or `null` if the unsaved changes remove the variable. */
  entry: Entry | null;
  source: Origin;
  /** Inherited environment variables with the same name that this variable overrides, nearest level first. */
  overrides: { source: Origin; entry: Entry }[];
  /** Whether the variable is set on this level, before or after the unsaved changes. */
  isOwn: boolean;
  change: 'added' | 'changed' | 'removed' | null;
}

/**
 * Returns the table rows of environment variables.
 * @param wider variables of the levels that this level inherits from, nearest first
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

/** Returns whether a variable matches the search text and the origin filter. Values of secrets are not searched. */
export function isFound({ key, entry, source }: VariableRow, text: string, from: string): boolean {
  if (from !== '' && source !== from) return false;
  const wanted = text.trim().toLowerCase();
  const value = entry && !entry.secret ? (entry.value ?? '') : '';
  return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
