/**
 * Manages unsaved changes to the environment variables of a project, an environment or an app. Also builds the API
 * request that saves these changes.
 */
import type { Variables, VariablesPatch, VariablesPut } from '@davit/api';

/** Value and secret flag of an environment variable. `value` is `null` if the user may not read the value. */
export interface Entry {
  value: string | null;
  secret: boolean;
}
export type Entries = ReadonlyMap<string, Entry>;

/**
 * Map from the name of an environment variable to its unsaved change. If the change is `null`, a save removes the
 * variable.
 */
export type Edits = ReadonlyMap<string, Entry | null>;

export type Change = 'added' | 'changed' | 'removed' | 'marked' | 'unmarked';

export interface Difference {
  key: string;
  /**
   * Kind of the change. `marked` and `unmarked` mean that only the secret flag of the environment variable has changed.
   */
  change: Change;
  from: Entry | null;
  to: Entry | null;
}

export function entriesOf({ vars, secret }: Pick<Variables, 'vars' | 'secret'>): Map<string, Entry> {
  const secrets = new Set(secret);
  return new Map(Object.entries(vars).map(([key, value]) => [key, { value, secret: secrets.has(key) }]));
}

/**
 * Returns the environment variables that an app gets from attached databases and buckets. Variables that the app
 * overrides are omitted.
 */
export function attachedEntries({ effective }: Pick<Variables, 'effective'>): Map<string, Entry> {
  const attached = effective.filter(({ source }) => source === 'attachment');
  return new Map(attached.map(({ key, value, secret }) => [key, { value, secret }]));
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  return a === b || (a !== null && b !== null && a.value === b.value && a.secret === b.secret);
}

function changeOf(from: Entry | null, to: Entry | null): Change {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  if (from.value !== to.value) return 'changed';
  return to.secret ? 'marked' : 'unmarked';
}

/** Returns the differences between two sets of environment variables, sorted by name. */
export function differences(before: Entries, after: Entries): Difference[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const from = before.get(key) ?? null;
    const to = after.get(key) ?? null;
    return isSame(from, to) ? [] : [{ key, change: changeOf(from, to), from, to }];
  });
}

/** Returns the environment variables of a project, an environment or an app, including the unsaved changes. */
export function edited(own: Entries, edits: Edits): Map<string, Entry> {
  const after = new Map(own);
  for (const [key, entry] of edits) {
    if (entry === null) after.delete(key);
    else after.set(key, entry);
  }
  return after;
}

/**
 * Adds an unsaved change of an environment variable. If the new value equals the stored value, the unsaved change is
 * removed instead.
 */
export function withEdit(own: Entries, edits: Edits, key: string, entry: Entry | null): Edits {
  const next = new Map(edits);
  if (isSame(own.get(key) ?? null, entry)) next.delete(key);
  else next.set(key, entry);
  return next;
}

export type VariablesRequest = { kind: 'merge'; body: VariablesPatch } | { kind: 'replace'; body: VariablesPut };

/**
 * Returns the API request that saves the changes of environment variables. Usually, the request contains only the
 * changed variables.
 *
 * If a secret variable becomes a normal variable, the request must contain all variables, because a partial change does
 * not support this. The value `null` then keeps the stored value of a variable.
 */
export function requestFor(own: Entries, edits: Edits): VariablesRequest {
  const changes = differences(own, edited(own, edits));
  const takesMarkOff = changes.some(({ from, to }) => from?.secret === true && to?.secret === false);
  return takesMarkOff ? replacement(own, edits) : merge(changes);
}

function merge(changes: readonly Difference[]): VariablesRequest {
  const set: Record<string, string> = {};
  const unset: string[] = [];
  const secret: string[] = [];
  for (const { key, from, to } of changes) {
    if (to === null) unset.push(key);
    else if (to.value !== null && to.value !== from?.value) define(set, key, to.value);
    if (to?.secret && !from?.secret) secret.push(key);
  }
  return { kind: 'merge', body: { set, unset, secret } };
}

function replacement(own: Entries, edits: Edits): VariablesRequest {
  const vars: Record<string, string | null> = {};
  const secret: string[] = [];
  for (const [key, entry] of edited(own, edits)) {
    const stays = isSame(own.get(key) ?? null, entry);
    define(vars, key, stays ? null : entry.value);
    if (entry.secret) secret.push(key);
  }
  return { kind: 'replace', body: { vars, secret } };
}

/**
 * Defines a property of an object. If a normal assignment were used, a variable with the name `__proto__` would change
 * the object's prototype.
 */
function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
