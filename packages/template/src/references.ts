/** Kind of the target of a reference: input, app, database or object store. */
export type ReferenceKind = 'input' | 'app' | 'db' | 'store';

/** Reference in a text of a template, such as `${db.main.password}`. */
export interface Reference {
  kind: ReferenceKind;
  key: string;
  attribute?: string;
  text: string;
}

/**
 * Map from kind of reference to the allowed attributes. For example, the reference `${db.main.host}` has the attribute
 * `host`. References to inputs have no attribute.
 */
export const ATTRIBUTES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  input: [],
  app: ['internal', 'host', 'port'],
  db: ['host', 'port', 'user', 'password', 'name'],
  store: ['bucket', 'endpoint'],
};

const REFERENCE = /\$\{(input|app|db|store)\.([a-zA-Z][a-zA-Z0-9_-]*)(?:\.([a-z]+))?\}/g;
const INPUT_ALONE = /^\$\{input\.([a-zA-Z][a-zA-Z0-9_-]*)\}$/;

/**
 * Returns the references in a text, such as `${app.web.host}`, in order. If no valid reference follows `${`, it is
 * treated as plain text.
 */
export function referencesIn(text: string): Reference[] {
  if (!text.includes('${')) return [];
  return Array.from(text.matchAll(REFERENCE), ([whole, kind, key = '', attribute]) => ({
    kind: kind as ReferenceKind,
    key,
    ...(attribute !== undefined && { attribute }),
    text: whole,
  }));
}

/** Replaces each reference in a text, such as `${db.main.host}`, with the result of `valueOf`. */
export function substitute(text: string, valueOf: (reference: Reference) => string): string {
  return text.replace(REFERENCE, (whole, kind: ReferenceKind, key: string, attribute: string | undefined) =>
    valueOf({ kind, key, ...(attribute !== undefined && { attribute }), text: whole }),
  );
}

/**
 * Returns whether the value of a reference is a secret. Secrets are the values of secret inputs and the passwords of
 * databases.
 */
export function isSecretReference(
  { kind, key, attribute }: Reference,
  /** Keys of the template inputs that have the type `secret`. */
  secretInputs: ReadonlySet<string>,
): boolean {
  return (kind === 'input' && secretInputs.has(key)) || (kind === 'db' && attribute === 'password');
}

/** Returns the key of an input if the text is exactly one reference to this input. Otherwise, returns `null`. */
export function inputAlone(text: string): string | null {
  return INPUT_ALONE.exec(text)?.[1] ?? null;
}
