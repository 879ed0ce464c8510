/**
 * Validates and normalizes the rules of a domain in an API request. Also merges the new rules with the current rules.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type AppDomain,
  type BasicAuth,
  type DavitError,
  type DomainPatch,
  DomainSettings,
  type FieldCode,
  invalidField,
  normalizePath,
  readHost,
  repeatedHeader,
  timestamp,
} from '@davit/api';
import type { DomainRow, NewDomain } from '../../db/tables/domain.ts';
import { fieldError } from '../../input/field-error.ts';
import { mergePatch } from '../../input/merge-patch.ts';
import { type StoredRules, type StoredUsers, storedRules } from '../../routing/host-rules.ts';
import { normalizeNetwork } from './canonical.ts';

/**
 * Maximum length of the list of allowed networks of a domain, in characters. HAProxy reads the list as one line, and
 * the length of a line is limited.
 */
const LONGEST_ALLOW = 10_000;
const LONGEST_HEADERS = 8_000;
/** Characters that must be escaped in HAProxy's configuration file. */
const SIGN = /[^\w.~-]/g;

const Rules = DomainSettings.omit({ basic_auth: true });
const Entry = DomainSettings.pick({ basic_auth: true });
type Rules = Omit<DomainSettings, 'basic_auth'>;

/**
 * SQLite columns for the settings of a domain, such as its path and port. The columns do not contain the passwords for
 * basic authentication.
 */
export type RuleColumns = Pick<NewDomain, 'path' | 'port' | 'protocol' | 'https' | 'redirect_to' | 'rules'>;

/**
 * Converts domain settings to SQLite columns.
 * @param users names for basic authentication, or `null` for access without a password
 * @throws DavitError invalid_input
 */
export function ruleColumns(host: string, settings: Rules, users: readonly string[] | null): RuleColumns {
  const { port, protocol, https, redirect_to, hsts, rate_limit, maintenance } = settings;
  const path = normalizePath(settings.path);
  if (typeof path === 'object') throw invalid('path', 'invalid_format', `The path ${path.problem}.`);
  const target = redirect_to === null ? null : requestedHost(redirect_to, 'redirect_to');
  if (target === host)
    throw invalid('redirect_to', 'not_allowed', 'A domain cannot be redirected to its own host. Choose another host.');
  const allow = networksOf(settings.allow);
  const headers = headersOf(settings.headers);
  const rules: StoredRules = {
    ...(hsts && { hsts }),
    ...(allow.length > 0 && { allow }),
    ...(rate_limit && { rate_limit }),
    ...(maintenance && { maintenance }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(users && { users: [...users].sort() }),
  };
  return { path, port, protocol, https, redirect_to: target, rules: JSON.stringify(rules) };
}

/**
 * Applies a JSON merge patch to the rules of a domain.
 * @throws DavitError invalid_input if the changed rules are invalid
 */
export function patchedRules(row: DomainRow, { basic_auth: _, ...patch }: DomainPatch): Rules {
  const { id: _id, host: _host, basic_auth: _auth, created_at: _at, ...current } = presentDomain(row);
  const headers = patch.headers as Record<string, string | null> | null | undefined;
  const merged = mergePatch(current, headers ? { ...patch, headers: lowerCased(headers) } : patch);
  /*
   * In a JSON merge patch, `null` removes a field. If the patch removes a required field, the error message says that
   * the field is required.
   */
  const parsed = Rules.safeParse(merged, { error: ({ input }) => (input === undefined ? 'is required' : undefined) });
  if (!parsed.success) throw fieldError(parsed.error, merged);
  return parsed.data;
}

/**
 * Hashes a password for basic authentication in the format of HAProxy. The hash is the SHA-256 of the salt, user name
 * and password.
 */
export function hashedUsers({ users }: BasicAuth, salt = randomBytes(16).toString('hex')): StoredUsers {
  const hash = (user: string, password: string) =>
    createHash('sha256').update(`${salt}${user}:${password}`, 'utf8').digest('hex');
  return {
    salt,
    users: Object.fromEntries(Object.entries(users).map(([user, password]) => [user, hash(user, password)])),
  };
}

/**
 * Applies a JSON merge patch to the users of basic authentication. Returns `undefined` if no user changes.
 * @param stored returns the current users; not called if the patch removes all users
 * @throws DavitError invalid_input
 */
export function patchedUsers(
  patch: DomainPatch['basic_auth'],
  stored: () => StoredUsers | null,
): StoredUsers | null | undefined {
  if (patch === undefined || patch === null) return patch;
  const { users } = patch as { users?: Record<string, string | null> | null };
  const before = users === null ? null : stored();
  const added = Object.entries(users ?? {}).filter((entry): entry is [string, string] => entry[1] !== null);
  const hashed = hashedUsers({ users: Object.fromEntries(added) }, before?.salt);
  const gone = new Set(Object.keys(users ?? {}));
  const kept = Object.entries(before?.users ?? {}).filter(([user]) => !gone.has(user));
  const after = { salt: hashed.salt, users: Object.fromEntries([...kept, ...Object.entries(hashed.users)]) };
  const entry = { basic_auth: { users: after.users } };
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) throw fieldError(parsed.error, entry);
  return after;
}

/**
 * Returns the normalized form of a host name from an API request.
 * @throws DavitError invalid_input if the host name is invalid
 */
export function requestedHost(input: string, field: 'host' | 'redirect_to'): string {
  const read = hostOrProblem(input);
  if ('problem' in read) throw invalid(field, 'invalid_format', read.problem);
  return read.host;
}

/** Returns the normalized form of a host name. For an invalid host name, returns an error message. */
export function hostOrProblem(input: string): { host: string } | { problem: string } {
  const read = readHost(input);
  return 'host' in read ? read : { problem: `The host ${read.problem}.` };
}

/**
 * Returns the rules of a domain for the API. The users of basic authentication are returned without their passwords.
 */
export function presentDomain(row: DomainRow): AppDomain {
  const { id, host, path, port, protocol, https, redirect_to, created_at } = row;
  const { hsts = null, allow = [], rate_limit = null, maintenance = null, headers = {}, users } = storedRules(row);
  return {
    id,
    host,
    path: path === '' ? null : path,
    port,
    protocol,
    https,
    hsts,
    redirect_to,
    basic_auth: users ? { users } : null,
    allow,
    rate_limit,
    maintenance,
    headers,
    created_at: timestamp(created_at),
  };
}

function networksOf(inputs: readonly string[]): string[] {
  const networks = inputs.map((input, index) => {
    const network = normalizeNetwork(input);
    if (network === null)
      throw invalid(
        `allow.${index}`,
        'invalid_format',
        'The value must be an IP address or a network, such as 203.0.113.0/24.',
      );
    return network;
  });
  const all = [...new Set(networks)];
  if (all.join(',').length <= LONGEST_ALLOW) return all;
  throw invalid(
    'allow',
    'too_large',
    `The list must have at most ${LONGEST_ALLOW} characters in total. Use networks instead of single addresses.`,
  );
}

function headersOf(headers: Rules['headers']): Rules['headers'] {
  const lower = lowerCased(headers);
  const length = Object.entries(lower)
    .flat()
    .reduce((sum, text) => sum + text.replace(SIGN, '%xx').length, 0);
  if (length <= LONGEST_HEADERS) return lower;
  throw invalid(
    'headers',
    'too_large',
    `The headers must have at most ${LONGEST_HEADERS} characters in total. Each special character counts as three.`,
  );
}

/**
 * Converts HTTP header names to lower case.
 * @throws DavitError invalid_input if a header name occurs twice
 */
function lowerCased<V>(headers: Record<string, V>): Record<string, V> {
  if (repeatedHeader(headers) !== undefined)
    throw invalid(
      'headers',
      'duplicate',
      'The headers contain the same name twice. Header names are case-insensitive.',
    );
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function invalid(field: string, code: FieldCode, message: string): DavitError {
  return invalidField(field, code, message);
}
