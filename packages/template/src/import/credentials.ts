import type { KnownDatabase } from './databases.ts';

/**
 * Map from patterns to database settings. If a pattern matches the name of an environment variable, the variable
 * contains this setting, such as the password.
 */
const HINTS: readonly [hint: RegExp, attribute: 'password' | 'user' | 'port' | 'name'][] = [
  [/PASS|PWD|SECRET/i, 'password'],
  [/USER|LOGIN/i, 'user'],
  [/PORT/i, 'port'],
  [/NAME|DATABASE|SCHEMA|(?:^|_)DB$/i, 'name'],
];

/**
 * Replaces database credentials in the value of the variable `name` with template references.
 * @param marked value in which placeholders replace the Compose variables
 * @param linked databases, most likely database first
 */
export function rewriteCredentials(
  marked: string,
  name: string,
  linked: readonly KnownDatabase[],
): { text: string; database: string | null } {
  for (const database of linked) {
    const text = byVariable(marked, database);
    if (text !== marked) return { text, database: database.key };
  }
  const attribute = HINTS.find(([hint]) => hint.test(name))?.[1];
  if (attribute === undefined) return { text: marked, database: null };
  for (const database of linked) {
    if (!valuesOf(database, attribute).includes(marked)) continue;
    return { text: `\${db.${database.key}.${attribute}}`, database: database.key };
  }
  return { text: marked, database: null };
}

/**
 * Replaces Compose variables that contain database credentials with references. This is safe in every text, because a
 * Compose variable has the same value in the whole file.
 */
function byVariable(marked: string, database: KnownDatabase): string {
  return (['password', 'user', 'name'] as const).reduce((text, attribute) => {
    const marks = valuesOf(database, attribute).filter((value) => /^\ue000\d+\ue001$/.test(value));
    return marks.reduce((from, mark) => from.replaceAll(mark, () => `\${db.${database.key}.${attribute}}`), text);
  }, marked);
}

function valuesOf(database: KnownDatabase, attribute: 'password' | 'user' | 'port' | 'name'): string[] {
  const { passwords, user, name, port } = database;
  if (attribute === 'password') return passwords;
  if (attribute === 'port') return [String(port)];
  const value = attribute === 'user' ? user : name;
  return value === null ? [] : [value];
}
