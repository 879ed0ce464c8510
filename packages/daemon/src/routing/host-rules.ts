/**
 * Access and header rules of a domain. This file defines the format of the rules in the database, and converts the
 * rules to the format for HAProxy.
 */
import type { Domain } from '@davit/api';
import type { RouteRules } from '../adapters/proxy/proxy.ts';
import { SealBroken, type Sealer } from '../db/seal.ts';
import type { DomainRow } from '../db/tables/domain.ts';

/** JSON in the column `domains.rules`. A rule that is missing in the JSON is off. */
export interface StoredRules {
  hsts?: Domain['hsts'];
  allow?: Domain['allow'];
  rate_limit?: Domain['rate_limit'];
  maintenance?: Domain['maintenance'];
  headers?: Domain['headers'];
  /** Names of the users who can sign in with HTTP basic authentication. */
  users?: string[];
}

/**
 * Decrypted JSON in the column `domains.basic_auth`. `users` maps each user name to the SHA-256 of
 * `<salt><user>:<password>` in hexadecimal.
 */
export interface StoredUsers {
  salt: string;
  users: Record<string, string>;
}

const NONE: StoredRules = {};

export function storedRules({ rules }: Pick<DomainRow, 'rules'>): StoredRules {
  return rules === '{}' ? NONE : (JSON.parse(rules) as StoredRules);
}

/** Returns the additional authenticated data (AAD) for the AES-GCM encryption of a domain's password hashes. */
export function usersLocation(id: number): string {
  return `domains/${id}/basic_auth`;
}

/**
 * Decrypts the basic authentication users of a domain. Returns `null` if the domain has no such users.
 * @throws SealBroken if the encrypted users were changed outside Davit
 */
export function storedUsers(sealer: Sealer, { id, basic_auth }: DomainRow): StoredUsers | null {
  return basic_auth === null ? null : (JSON.parse(sealer.open(basic_auth, usersLocation(id))) as StoredUsers);
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

/** Routing rules for a host name that only redirects to HTTPS. All such host names share this object. */
export const HTTPS_ONLY: RouteRules = { ...OFF, httpsOnly: true };

/**
 * Returns the HAProxy rules of a domain, or `undefined` if the domain has no rules.
 * @param isCertain whether a valid certificate covers the host name
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

export function hstsValue({ max_age_s, include_subdomains, preload }: NonNullable<Domain['hsts']>): string {
  return `max-age=${max_age_s}${include_subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`;
}

/**
 * Basic authentication rule that rejects every password, because no password has a hash that consists only of zeros.
 */
const LOCKED = { salt: '-', hashes: ['0'.repeat(64)] };

/**
 * Cache of decrypted basic authentication users. It is necessary, because the routes of thousands of domains are
 * computed often. Key: domain id and encrypted text.
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
 * Decrypts the basic authentication users of a domain. If the decryption fails, HAProxy rejects all users of the
 * domain.
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
