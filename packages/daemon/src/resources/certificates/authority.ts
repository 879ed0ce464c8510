/** List of well-known certificate authorities with their rate limits. All functions in this file are pure. */
import { isIP } from 'node:net';
import type { LimitKind } from '@davit/api';

/**
 * Rate limit of an ACME authority: the maximum number of orders or failures in any period of `windowMs` milliseconds.
 */
export interface LimitRule {
  limit: LimitKind;
  most: number;
  windowMs: number;
}

export interface KnownAuthority {
  name: string;
  /**
   * Whether the authority issues certificates only for public host names. This is the case for authorities that
   * browsers trust, and for the staging systems of these authorities.
   */
  public: boolean;
  /** Rate limits of the ACME authority. The list is empty if Davit does not know the rate limits. */
  limits: readonly LimitRule[];
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const LETS_ENCRYPT: readonly LimitRule[] = [
  { limit: 'orders', most: 300, windowMs: 3 * HOUR_MS },
  { limit: 'certificates_per_domain', most: 50, windowMs: WEEK_MS },
  { limit: 'duplicates', most: 5, windowMs: WEEK_MS },
  { limit: 'failed_validations', most: 5, windowMs: HOUR_MS },
];

const STAGING: readonly LimitRule[] = [
  { limit: 'orders', most: 1_500, windowMs: 3 * HOUR_MS },
  { limit: 'certificates_per_domain', most: 30_000, windowMs: WEEK_MS },
  { limit: 'duplicates', most: 30_000, windowMs: WEEK_MS },
  { limit: 'failed_validations', most: 200, windowMs: HOUR_MS },
];

/** Known ACME certificate authorities. Each key is the host name of the authority's ACME server. */
const AUTHORITIES: Readonly<Record<string, KnownAuthority>> = {
  'acme-v02.api.letsencrypt.org': { name: 'Let’s Encrypt', public: true, limits: LETS_ENCRYPT },
  'acme-staging-v02.api.letsencrypt.org': { name: 'Let’s Encrypt (staging)', public: true, limits: STAGING },
  'acme.zerossl.com': { name: 'ZeroSSL', public: true, limits: [] },
  'api.buypass.com': { name: 'Buypass', public: true, limits: [] },
  'api.test4.buypass.no': { name: 'Buypass (test)', public: true, limits: [] },
  'dv.acme-v02.api.pki.goog': { name: 'Google Trust Services', public: true, limits: [] },
  'dv.acme-v02.test-api.pki.goog': { name: 'Google Trust Services (test)', public: true, limits: [] },
  'acme.ssl.com': { name: 'SSL.com', public: true, limits: [] },
};

/**
 * Returns the name and rate limits of a certificate authority. The parameter is the ACME directory URL of the
 * authority. If Davit does not know the authority, the authority is treated as not public and has no rate limits.
 */
export function authorityOf(directory: string): KnownAuthority {
  const { hostname } = new URL(directory);
  return AUTHORITIES[hostname] ?? { name: hostname, public: false, limits: [] };
}

/**
 * Domains that are not public, for example domains for local networks. A public certificate authority cannot verify who
 * owns a host name in these domains.
 */
const LOCAL = /(^|\.)(localhost|local|test|internal|invalid|example|onion|home\.arpa)$/;

/**
 * Returns whether a host name is local, such as an IP address or `shop.localhost`. No public authority issues
 * certificates for local names.
 */
export function isLocalName(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || LOCAL.test(name);
}

/**
 * Second-level domains under which people register domains in some countries, for example `co` in `co.uk` and `com` in
 * `com.au`.
 */
const SHARED_SECOND = /^(ac|co|com|edu|gob|gov|gouv|go|gv|id|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;

/**
 * Returns the registered domain of a host name, for example `example.com` for `www.example.com`. The rate limit applies
 * to each registered domain. For an unknown suffix, the function can return the suffix itself. Davit then orders fewer
 * certificates than the authority allows.
 */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const count = labels.length > 2 && top.length === 2 && SHARED_SECOND.test(second) ? 3 : 2;
  return labels.slice(-count).join('.');
}
