/** Known certificate authorities, whether browsers trust them, and their limits. The functions are pure. */
import { isIP } from 'node:net';
import type { LimitKind } from '@davit/api';

/** Maximum number of uses in any period of the given length. */
export interface LimitRule {
  limit: LimitKind;
  most: number;
  windowMs: number;
}

export interface KnownAuthority {
  name: string;
  /** Whether browsers trust the authority, or the authority is the staging system of one that they trust. */
  public: boolean;
  /** Limits of the authority. Empty if they are unknown. */
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

/** Authorities by the host name of their directory. */
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

/** Returns the data of the authority of a directory. An unknown authority counts as private. */
export function authorityOf(directory: string): KnownAuthority {
  const { hostname } = new URL(directory);
  return AUTHORITIES[hostname] ?? { name: hostname, public: false, limits: [] };
}

/** Domains that cannot be registered, so that a public authority cannot verify their owner. */
const LOCAL = /(^|\.)(localhost|local|test|internal|invalid|example|onion|home\.arpa)$/;

/** Returns whether a name exists only on one server or in one network. */
export function isLocalName(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || LOCAL.test(name);
}

/** Second-level names under which countries register domains, as `co.uk` and `com.au`. */
const SHARED_SECOND = /^(ac|co|com|edu|gob|gov|gouv|go|gv|id|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;

/**
 * Returns the registered domain of a name: the last two labels, or three below a country's second level such as
 * `co.uk`. This approximates the public suffix list on the careful side: two domains that are taken for one share one
 * limit.
 */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const count = labels.length > 2 && top.length === 2 && SHARED_SECOND.test(second) ? 3 : 2;
  return labels.slice(-count).join('.');
}
