/** What can be referred to: an answer, an app, a database, a store. */
export type ReferenceKind = 'input' | 'app' | 'db' | 'store';

/** One `${kind.key.attribute}` in a text. */
export interface Reference {
  kind: ReferenceKind;
  key: string;
  attribute?: string;
  /** All of it, as written. */
  text: string;
}

/** What each kind can be asked for; an input is its answer and has none. */
export const ATTRIBUTES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  input: [],
  app: ['internal', 'host', 'port'],
  db: ['host', 'port', 'user', 'password', 'name'],
  store: ['bucket', 'endpoint'],
};

const REFERENCE = /\$\{(input|app|db|store)\.([a-zA-Z][a-zA-Z0-9_-]*)(?:\.([a-z]+))?\}/g;
const INPUT_ALONE = /^\$\{input\.([a-zA-Z][a-zA-Z0-9_-]*)\}$/;

/** The references of a text in their order. Whatever else has `${` in it is plain text. */
export function referencesIn(text: string): Reference[] {
  if (!text.includes('${')) return [];
  return Array.from(text.matchAll(REFERENCE), ([whole, kind, key = '', attribute]) => ({
    kind: kind as ReferenceKind,
    key,
    ...(attribute !== undefined && { attribute }),
    text: whole,
  }));
}

/** Puts a value in the place of each reference of a text; what is no reference stays as it is. */
export function substitute(text: string, valueOf: (reference: Reference) => string): string {
  return text.replace(REFERENCE, (whole, kind: ReferenceKind, key: string, attribute: string | undefined) =>
    valueOf({ kind, key, ...(attribute !== undefined && { attribute }), text: whole }),
  );
}

/** The key of the input that a text refers to and says nothing else than that; null: it is something else. */
export function inputAlone(text: string): string | null {
  return INPUT_ALONE.exec(text)?.[1] ?? null;
}
