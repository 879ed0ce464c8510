/** Target of a reference: an input, an app, a database or a store. */
export type ReferenceKind = 'input' | 'app' | 'db' | 'store';

/** One `${kind.key.attribute}` in a text. */
export interface Reference {
  kind: ReferenceKind;
  key: string;
  attribute?: string;
  /** Complete reference as written. */
  text: string;
}

/** Attributes of each kind. An input has none, because a reference to an input is its answer. */
export const ATTRIBUTES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  input: [],
  app: ['internal', 'host', 'port'],
  db: ['host', 'port', 'user', 'password', 'name'],
  store: ['bucket', 'endpoint'],
};

const REFERENCE = /\$\{(input|app|db|store)\.([a-zA-Z][a-zA-Z0-9_-]*)(?:\.([a-z]+))?\}/g;
const INPUT_ALONE = /^\$\{input\.([a-zA-Z][a-zA-Z0-9_-]*)\}$/;

/** Returns the references of a text in their order. Any other `${` is plain text. */
export function referencesIn(text: string): Reference[] {
  if (!text.includes('${')) return [];
  return Array.from(text.matchAll(REFERENCE), ([whole, kind, key = '', attribute]) => ({
    kind: kind as ReferenceKind,
    key,
    ...(attribute !== undefined && { attribute }),
    text: whole,
  }));
}

/** Replaces each reference of a text by a value. Other text does not change. */
export function substitute(text: string, valueOf: (reference: Reference) => string): string {
  return text.replace(REFERENCE, (whole, kind: ReferenceKind, key: string, attribute: string | undefined) =>
    valueOf({ kind, key, ...(attribute !== undefined && { attribute }), text: whole }),
  );
}

/** Returns the key of the input if a text consists only of a reference to an input, or `null`. */
export function inputAlone(text: string): string | null {
  return INPUT_ALONE.exec(text)?.[1] ?? null;
}
