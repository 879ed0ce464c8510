import type { KnownDatabase } from './databases.ts';

/** What a variable's name says of its value, where the value is that of a database. */
const HINTS: readonly [hint: RegExp, attribute: 'password' | 'user' | 'port' | 'name'][] = [
  [/PASS|PWD|SECRET/i, 'password'],
  [/USER|LOGIN/i, 'user'],
  [/PORT/i, 'port'],
  [/NAME|DATABASE|SCHEMA|(?:^|_)DB$/i, 'name'],
];

/**
 * Puts references in place of what a database was told in the Compose file: its password, user and name.
 * @param linked databases that the app speaks to, likeliest first
 * @returns the text, and the key of the database that it refers to now
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

/** A variable that a database had as its password is that password wherever it stands. */
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
