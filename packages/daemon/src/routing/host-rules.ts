/** What a domain does besides leading to an app: as it is kept, and as the proxy is told. */
import type { Domain } from '@davit/api';
import type { RouteRules } from '../adapters/proxy/proxy.ts';
import { SealBroken, type Sealer } from '../db/seal.ts';
import type { DomainRow } from '../db/tables/domain.ts';

/** What `domains.rules` is JSON of; what is absent is off. */
export interface StoredRules {
  hsts?: Domain['hsts'];
  allow?: Domain['allow'];
  rate_limit?: Domain['rate_limit'];
  maintenance?: Domain['maintenance'];
  headers?: Domain['headers'];
  /** The names of those who may enter. */
  users?: string[];
}

/** What `domains.basic_auth` is sealed JSON of: SHA-256 in hex of `<salt><user>:<password>`, by user. */
export interface StoredUsers {
  salt: string;
  users: Record<string, string>;
}

const NONE: StoredRules = {};

export function storedRules({ rules }: Pick<DomainRow, 'rules'>): StoredRules {
  return rules === '{}' ? NONE : (JSON.parse(rules) as StoredRules);
}

/** Where a domain's hashes belong, for the seal. */
export function usersPlace(id: number): string {
  return `domains/${id}/basic_auth`;
}

/** @throws SealBroken when it was changed outside of Davit */
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

/** Shared by every host that does nothing but this. */
export const HTTPS_ONLY: RouteRules = { ...OFF, httpsOnly: true };

/**
 * What the proxy is to do with a domain's requests; undefined: nothing special.
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

/** The header's value. */
export function hstsValue({ max_age_s, include_subdomains, preload }: NonNullable<Domain['hsts']>): string {
  return `max-age=${max_age_s}${include_subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`;
}

/** No text has this hash. */
const LOCKED = { salt: '-', hashes: ['0'.repeat(64)] };

/** By the domain's number and what is sealed: a table of thousands of domains is made over and over. */
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

/** What cannot be opened lets nobody in: with another master key, all of the instance's secrets are in that state. */
function openBasicAuth(sealer: Sealer, row: DomainRow): RouteRules['basicAuth'] {
  try {
    const stored = storedUsers(sealer, row);
    return stored && { salt: stored.salt, hashes: Object.values(stored.users) };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return LOCKED;
  }
}
