import type { Certificate, CertificateStatus } from '@davit/api';
import { isLocalDomain } from '../../util/local-domain.ts';

export type Tone = 'good' | 'warning' | 'error' | 'soft';

export const TONE_TEXT: Record<Tone, string> = {
  good: 'text-good',
  warning: 'text-warning',
  error: 'text-error',
  soft: 'text-soft',
};

const DAY_MS = 86_400_000;
/**
 * If an uploaded certificate expires within this number of days, the dashboard shows a warning, because Davit cannot
 * renew an uploaded certificate.
 */
const SOON_DAYS = 30;

export function stateOf(
  { status, problem, not_after, renews_at }: Pick<Certificate, 'status' | 'problem' | 'not_after' | 'renews_at'>,
  now: number,
): { tone: Tone; words: string } {
  if (status === 'expired') return { tone: 'error', words: 'expired' };
  if (status === 'not_yet_valid') return { tone: 'warning', words: 'not valid yet' };
  if (problem !== null) return { tone: 'warning', words: 'renewal failed' };
  const isSoon = renews_at === null && Date.parse(not_after) - now < SOON_DAYS * DAY_MS;
  return isSoon ? { tone: 'warning', words: 'expires soon' } : { tone: 'good', words: 'valid' };
}

/** Descriptions of the certificate status, for hosts that have no valid certificate. */
export const WITHOUT: Record<Exclude<CertificateStatus, 'active'>, { tone: Tone; words: string }> = {
  none: { tone: 'soft', words: 'none' },
  waiting: { tone: 'soft', words: 'not requested yet' },
  ordering: { tone: 'soft', words: 'being requested' },
  failed: { tone: 'error', words: 'request failed' },
};

export interface DnsRecord {
  name: string;
  type: 'A' | 'AAAA' | 'CNAME';
  value: string;
}

/**
 * Returns the DNS record that points a host name to the instance. If the public IP address is known, the result is an A
 * or AAAA record. Otherwise, the result is a CNAME record with the instance's domain. The result is `null` for hosts in
 * this domain, or if this domain is local.
 */
export function recordFor(
  host: string,
  { domain, address }: { domain: string; address: string | null },
): DnsRecord | null {
  if (address !== null) return { name: host, type: address.includes(':') ? 'AAAA' : 'A', value: address };
  const isOwn = host === domain || host.endsWith(`.${domain}`);
  return isOwn || isLocalDomain(domain) ? null : { name: host, type: 'CNAME', value: domain };
}
