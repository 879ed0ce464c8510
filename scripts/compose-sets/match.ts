/** Compares a value of a Compose file with the value in the template that the importer wrote. */
import { interpolated, UNSET } from './compose.ts';

type Mapping = Record<string, unknown>;

/** Values that references in the template represent. */
export interface References {
  /** Inputs of the template by key. */
  inputs: ReadonlyMap<string, Mapping>;
  /**
   * Names under which other services of the Compose file reach an app (`app.<key>`) or a database (`db.<key>`).
   */
  hosts: ReadonlyMap<string, readonly string[]>;
}

const SECRET_NAME = /PASS|PWD|SECRET|TOKEN|KEY|SALT|PEPPER|CREDENTIAL/i;
const OWN_ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?/;
const VARIABLE = `${UNSET}[^${UNSET}]*${UNSET}`;
const REFERENCE = /\$\{(input|app|db)\.([A-Za-z0-9_-]+)(?:\.([a-z]+))?\}/g;

/**
 * Returns whether a value of the template has the meaning of a value of the Compose file. A reference must stand for
 * what Compose would use: the default value of a variable, the name of a service, or a password.
 * @param name environment variable of the value
 */
export function isSameValue(written: string | null, made: string, name: string, references: References): boolean {
  const expected = written === null ? `${UNSET}${name}${UNSET}` : interpolated(written);
  if (made === expected) return true;
  const isSecret = SECRET_NAME.test(name);
  const pattern = patternOf(made, expected, isSecret, references);
  if (new RegExp(`^${pattern}$`).test(expected)) return true;
  // A host name of the user's own address becomes a domain, and a URL without credentials gets those of the database.
  if (OWN_ADDRESS.test(expected) && /^https:\/\/\$\{input\.[A-Za-z0-9]+\}/.test(made))
    return made.replace(/^https:\/\/\$\{[^}]+\}/, '') === expected.replace(OWN_ADDRESS, '');
  return isDatabaseAddress(made, expected, references);
}

const LOGIN = /\$\{db\.[^}]+\.user\}:\$\{db\.[^}]+\.password\}@/;
const PORT = /:\$\{db\.[^}]+\.port\}/;

/**
 * Compares the address of a database with a URL that contains no password or no port. The managed database has a
 * password, and its engine has only one port.
 */
function isDatabaseAddress(made: string, expected: string, references: References): boolean {
  if (!PORT.test(made)) return false;
  const isOpen = !/:\/\/[^/@]*:[^/@]*@/.test(expected);
  const own = isOpen ? made.replace(LOGIN, '') : made;
  const bare = isOpen ? expected.replace(/:\/\/[^/@]*@/, '://') : expected;
  const [before = '', ...after] = own.split(PORT).map((piece) => patternOf(piece, bare, true, references));
  return new RegExp(`^${before}(?::(?:\\d+|${VARIABLE}))?${after.join('')}$`).test(bare);
}

function patternOf(made: string, expected: string, isSecret: boolean, references: References): string {
  let pattern = '';
  let end = 0;
  for (const match of made.matchAll(REFERENCE)) {
    pattern += RegExp.escape(made.slice(end, match.index));
    const [, kind = '', key = '', attribute = ''] = match;
    pattern +=
      kind === 'input'
        ? inputPattern(key, expected, isSecret, references)
        : partPattern(`${kind}.${key}`, attribute, references);
    end = match.index + match[0].length;
  }
  return pattern + RegExp.escape(made.slice(end));
}

/** An input represents its default value. Without a default value, it represents only an unset variable or a secret. */
function inputPattern(key: string, expected: string, isSecret: boolean, { inputs }: References): string {
  const input = inputs.get(key);
  if (input === undefined) return '(?!)';
  if (typeof input.default === 'string') return `(?:${RegExp.escape(input.default)}|${VARIABLE})`;
  if (input.required === 'false' && input.type === 'text') return `(?:|${VARIABLE})`;
  if (input.type === 'secret' && (isSecret || !expected.includes(UNSET))) return '[\\s\\S]*';
  // The domain of an app replaces every variable for a domain, with or without a default.
  return input.type === 'domain' ? `(?:${VARIABLE}|[^/\\s]*)` : `(?:${VARIABLE})`;
}

function partPattern(part: string, attribute: string, { hosts }: References): string {
  if (attribute === 'internal' || attribute === 'host')
    return `(?:${(hosts.get(part) ?? []).map((host) => RegExp.escape(host)).join('|') || '(?!)'})`;
  if (attribute === 'port') return `(?:\\d+|${VARIABLE})`;
  return '[^\\s]*';
}
