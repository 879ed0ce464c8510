/** Rules of a domain in addition to its route: their stored form, and their form for the proxy. */
import type { Domain } from '@davit/api';
import type { RouteRules } from '../adapters/proxy/proxy.ts';
import { SealBroken, type Sealer } from '../db/seal.ts';
import type { DomainRow } from '../db/tables/domain.ts';

/** Content of the column `domains.rules`. A rule that is not set is off. */
export interface StoredRules {
  hsts?: Domain['hsts'];
  allow?: Domain['allow'];
  rate_limit?: Domain['rate_limit'];
  maintenance?: Domain['maintenance'];
  headers?: Domain['headers'];
  /** Names of the users with access. */
  users?: string[];
}

/**
 * Content of the column `domains.basic_auth` after decryption: for each user, the SHA-256 of `<salt><user>:<password>`
 * in hexadecimal.
 */
export interface StoredUsers {
  salt: string;
  users: Record<string, string>;
}

const NONE: StoredRules = {};

export function storedRules({ rules }: Pick<DomainRow, 'rules'>): StoredRules {
  return rules === '{}' ? NONE : (JSON.parse(rules) as StoredRules);
}

/** Returns the place of a domain's hashes for the encryption, see `Sealer`. */
export function usersPlace(id: number): string {
  return `domains/${id}/basic_auth`;
}

/**
 * Decrypts the users of a domain.
 * @throws SealBroken if they were changed outside Davit
 */
export function storedUsers(sealer: Sealer, { id, basic_auth }: DomainRow): StoredUsers | null {
  return basic_auth === null ? null : (JSON.parse(sealer.open(basic_auth, usersPlace(id))) as StoredUsers);
}

const OFF: RouteRules = {
  httpsOnly: false,
  hsts: null,
  redirectTo: null,
  basicAuth: null,
  allow: [],
  requestsPerMinute: null,
  maintenance: null,
  headers: {},
};

/** Rules that all hosts share that only require HTTPS. */
export const HTTPS_ONLY: RouteRules = { ...OFF, httpsOnly: true };

/**
 * Returns the rules of a domain for the proxy, or `undefined` if there are none.
 * @param isCertain whether there is a valid certificate for the host
 */
export function routeRules(sealer: Sealer, row: DomainRow, isCertain: boolean): RouteRules | undefined {
  const httpsOnly = row.https === 'only' || (row.https === 'auto' && isCertain);
  if (row.rules === '{}' && row.basic_auth === null && row.redirect_to === null)
    return httpsOnly ? HTTPS_ONLY : undefined;
  const { hsts, allow = [], rate_limit, maintenance, headers = {} } = storedRules(row);
  return {
    httpsOnly,
    hsts: hsts ? hstsValue(hsts) : null,
    redirectTo: row.redirect_to,
    basicAuth: basicAuthOf(sealer, row),
    allow,
    requestsPerMinute: rate_limit?.requests_per_minute ?? null,
    maintenance: maintenance?.message ?? null,
    headers,
  };
}

/** Returns the value of the HSTS header. */
export function hstsValue({ max_age_s, include_subdomains, preload }: NonNullable<Domain['hsts']>): string {
  return `max-age=${max_age_s}${include_subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`;
}

/** Rule that refuses all users, because no text has this hash. */
const LOCKED = { salt: '-', hashes: ['0'.repeat(64)] };

/**
 * Cache of decrypted users, by the number of the domain and the encrypted text. The table with thousands of domains is
 * computed often.
 */
const opened = new Map<string, RouteRules['basicAuth']>();
const MOST_OPENED = 10_000;

function basicAuthOf(sealer: Sealer, row: DomainRow): RouteRules['basicAuth'] {
  if (row.basic_auth === null) return null;
  const key = `${row.id} ${row.basic_auth}`;
  let known = opened.get(key);
  if (known === undefined) {
    known = openBasicAuth(sealer, row);
    if (opened.size >= MOST_OPENED) opened.clear();
    opened.set(key, known);
  }
  return known;
}

/**
 * Decrypts the users of a domain. If this fails, the rule refuses all users. After a change of the master key, this
 * applies to all secrets of the instance.
 */
function openBasicAuth(sealer: Sealer, row: DomainRow): RouteRules['basicAuth'] {
  try {
    const stored = storedUsers(sealer, row);
    return stored && { salt: stored.salt, hashes: Object.values(stored.users) };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return LOCKED;
  }
}
