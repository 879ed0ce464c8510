/**
 * Builds the rows of the table of environment variables. The rows also contain inherited variables and unsaved changes.
 */
import { differences, type Edits, type Entries, type Entry, edited } from './changes.ts';

export const SOURCES = ['project', 'environment', 'attachment', 'app'] as const;
/**
 * Source of an environment variable: a project, an environment, an app or an attachment. `attachment` means that the
 * app gets the variable from an attached database or bucket.
 */
export type Origin = (typeof SOURCES)[number];
/** Level on which users can set environment variables: a project, an environment or an app. */
export type Source = Exclude<Origin, 'attachment'>;

export interface SourceEntries {
  source: Origin;
  entries: Entries;
}

export interface VariableRow {
  key: string;
  /**
   * Environment variable with the user's unsaved changes. `null` if the user has removed the variable, but has not
   * saved the change.
   */
  entry: Entry | null;
  source: Origin;
  /** Inherited environment variables with the same name that this variable overrides. The nearest level comes first. */
  overrides: { source: Origin; entry: Entry }[];
  /**
   * Whether the environment variable is set on this level (project, environment or app), and not only inherited.
   * Unsaved changes are included.
   */
  isOwn: boolean;
  change: 'added' | 'changed' | 'removed' | null;
}

/**
 * Returns the table rows for environment variables.
 * @param wider inherited variables, nearest level first; for an app, these are the variables of its environment and its
 * project
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

/**
 * Returns whether an environment variable matches the search text and the filter of the table. The values of secrets
 * are not searched.
 */
export function isFound({ key, entry, source }: VariableRow, text: string, from: string): boolean {
  if (from !== '' && source !== from) return false;
  const wanted = text.trim().toLowerCase();
  const value = entry && !entry.secret ? (entry.value ?? '') : '';
  return key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}
