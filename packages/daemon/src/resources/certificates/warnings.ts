import { timestamp } from '@davit/api';
import { acmeAccount } from '../../db/tables/acme-account.ts';
import { type CertificateBrief, listCertificates } from '../../db/tables/certificate.ts';
import { ordersSince } from '../../db/tables/certificate-order.ts';
import { isValid, servedFor, wildcardOver } from '../../routing/host-certificates.ts';
import { authorityOf } from './authority.ts';
import { LONGEST_WINDOW_MS, limitsInUse } from './order-allowance.ts';
import { servedHosts, type WantedNamesDeps } from './wanted.ts';

/**
 * Fraction of a rate limit of the certificate authority. If the instance has used this fraction, Davit shows a warning.
 */
const NEAR = 0.8;

const SOON_MS = 14 * 86_400_000;

const MOST_NAMED = 3;

export function certificateWarnings(base: WantedNamesDeps): string[] {
  return [...expired(base), ...paused(base), ...nearLimits(base)];
}

function expired(base: WantedNamesDeps): string[] {
  const at = base.now();
  const rows = listCertificates(base.store);
  const isUploaded = ({ kind }: CertificateBrief) => kind === 'custom';
  const over = namesServedWith(base, (row) => row.not_after <= at, rows);
  const soon = namesServedWith(
    base,
    (row) => isUploaded(row) && isValid(row, at) && row.not_after <= at + SOON_MS,
    rows,
  );
  return [
    ...(over === null ? [] : [`The certificate of ${over} has expired. GET /api/certificates shows the reason.`]),
    ...(soon === null ? [] : [`The uploaded certificate of ${soon} expires within two weeks. Replace it.`]),
  ];
}

/**
 * Returns the host names for which HAProxy uses a certificate that meets the condition `is`. The result is a text with
 * at most three host names, or `null` if no host name matches.
 */
function namesServedWith(
  base: WantedNamesDeps,
  is: (row: CertificateBrief) => boolean,
  rows: readonly CertificateBrief[],
): string | null {
  const hosts = new Set(rows.filter(is).flatMap((row) => JSON.parse(row.hosts) as string[]));
  if (hosts.size === 0) return null;
  const names = servedHosts(base).filter((name) => {
    if (!hosts.has(name) && !hosts.has(wildcardOver(name) ?? '')) return false;
    const served = servedFor(base, name);
    return served !== undefined && is(served);
  });
  if (names.length === 0) return null;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function paused({ store, settings, now }: WantedNamesDeps): string[] {
  const { directory } = settings().acme;
  const account = acmeAccount(store, directory);
  if (!account?.problem || (account.paused_until ?? 0) <= now()) return [];
  const until = timestamp(account.paused_until);
  return [`Davit requests no certificates from ${authorityOf(directory).name} before ${until}. ${account.problem}`];
}

function nearLimits({ store, settings, now }: WantedNamesDeps): string[] {
  const { directory } = settings().acme;
  const authority = authorityOf(directory);
  if (authority.limits.length === 0) return [];
  const orders = ordersSince(store, directory, now() - LONGEST_WINDOW_MS);
  return limitsInUse(authority, orders, now())
    .filter(({ limit, used, most }) => limit !== 'failed_validations' && used >= most * NEAR)
    .map(({ used, most, window_s, subject }) => {
      const what = subject === null ? 'certificate requests' : `certificates for ${subject}`;
      return `${authority.name} allows ${most} ${what} in ${window_s / 3_600} hours, and ${used} are used.`;
    });
}
