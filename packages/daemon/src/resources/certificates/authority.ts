/** What is known of certificate authorities: which the world trusts, and what they allow. Pure. */
import { isIP } from 'node:net';
import type { LimitKind } from '@davit/api';

/** How often something may be done in any stretch of time. */
export interface LimitRule {
  limit: LimitKind;
  most: number;
  windowMs: number;
}

export interface KnownAuthority {
  name: string;
  /** Browsers trust it, or it stands in for one that they do. */
  public: boolean;
  /** Empty where they are not known. */
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

/** By the host of the directory. */
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

/** What is known of the authority of a directory; one that is not known is somebody's own. */
export function authorityOf(directory: string): KnownAuthority {
  const { hostname } = new URL(directory);
  return AUTHORITIES[hostname] ?? { name: hostname, public: false, limits: [] };
}

/** Names that nobody owns before the whole world: no public authority can tell whose they are. */
const LOCAL = /(^|\.)(localhost|local|test|internal|invalid|example|onion|home\.arpa)$/;

/** Whether a name means something on one machine or one network alone. */
export function isLocalName(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || LOCAL.test(name);
}

/** Second-level names under which countries register domains, as `co.uk` and `com.au`. */
const SHARED_SECOND = /^(ac|co|com|edu|gob|gov|gouv|go|gv|id|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;

/**
 * The domain that somebody registered: the last two labels, or three where a country has a level of its own between.
 * An approximation of the public suffix list that errs on the careful side: where it takes two domains for one, both
 * are held to one limit.
 */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const count = labels.length > 2 && top.length === 2 && SHARED_SECOND.test(second) ? 3 : 2;
  return labels.slice(-count).join('.');
}
