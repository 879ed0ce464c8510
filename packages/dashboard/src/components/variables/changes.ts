/** Manages unsaved changes of one level of variables: their result, and the request that saves them. */
import type { Variables, VariablesPatch, VariablesPut } from '@davit/api';

/** A variable of one level. The value is `null` if it is hidden from the user. */
export interface Entry {
  value: string | null;
  secret: boolean;
}
export type Entries = ReadonlyMap<string, Entry>;

/** New entry by name. `null` removes the variable. */
export type Edits = ReadonlyMap<string, Entry | null>;

export type Change = 'added' | 'changed' | 'removed' | 'marked' | 'unmarked';

export interface Difference {
  key: string;
  /** Kind of the change. `marked` and `unmarked` change only whether the value is hidden from viewers. */
  change: Change;
  from: Entry | null;
  to: Entry | null;
}

export function entriesOf({ vars, secret }: Pick<Variables, 'vars' | 'secret'>): Map<string, Entry> {
  const secrets = new Set(secret);
  return new Map(Object.entries(vars).map(([key, value]) => [key, { value, secret: secrets.has(key) }]));
}

/** Returns the variables that the app gets from its attachments, unless the app has its own value. */
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

/** Returns the differences, sorted by name. */
export function differences(before: Entries, after: Entries): Difference[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const from = before.get(key) ?? null;
    const to = after.get(key) ?? null;
    return isSame(from, to) ? [] : [{ key, change: changeOf(from, to), from, to }];
  });
}

/** Returns the variables of a level with the changes applied. */
export function edited(own: Entries, edits: Edits): Map<string, Entry> {
  const after = new Map(own);
  for (const [key, entry] of edits) {
    if (entry === null) after.delete(key);
    else after.set(key, entry);
  }
  return after;
}

/** Adds a change. A change that equals the stored entry is removed from the edits. */
export function withEdit(own: Entries, edits: Edits, key: string, entry: Entry | null): Edits {
  const next = new Map(edits);
  if (isSame(own.get(key) ?? null, entry)) next.delete(key);
  else next.set(key, entry);
  return next;
}

export type VariablesRequest = { kind: 'merge'; body: VariablesPatch } | { kind: 'replace'; body: VariablesPut };

/**
 * Returns all changes as one request. A merge omits unchanged variables. Only a replacement can remove the secret mark
 * of a variable. In a replacement, `null` keeps the stored value.
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

/** Sets a property without side effects, so that `__proto__` can be a name. */
function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
